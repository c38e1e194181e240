import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JudgeBill } from '../judges/llm/bill.js'
import { readArgs } from './args.js'
import { judge } from './judge.js'

const home = mkdtempSync(join(tmpdir(), 'memscope-bill-'))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true, force: true })
})

async function totals(...args: string[]): Promise<Record<string, JudgeBill>> {
  const said: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  await judge.run(readArgs(judge, ['bill', '--size', '3', '--json', '-', '--home', home, ...args]))
  const { rows } = JSON.parse(said.join('')) as { rows: { protocol: string; task: string; bill: JudgeBill }[] }
  return Object.fromEntries(rows.filter(({ task }) => task === 'all').map(({ protocol, bill }) => [protocol, bill]))
}

describe('memscope judge bill', () => {
  it('tells what all three protocols send over MemFail, and that only paper pays for stages at every k', async () => {
    const [at1, at5] = [await totals('--k', '1'), await totals()]
    expect(Object.keys(at5)).toEqual(['paper', 'llm', 'hybrid'])
    expect(at5.paper!.total.promptTokens).toBeGreaterThan(at5.llm!.total.promptTokens)
    expect(at5.llm!.total.promptTokens).toBeGreaterThan(at5.hybrid!.total.promptTokens)
    expect(at5.llm!.stages).toEqual(at1.llm!.stages)
    expect(at5.paper!.stages.promptTokens).toBeGreaterThan(at1.paper!.stages.promptTokens)
  })

  it('leaves out the protocol of MemFail for other suites, and says so when it is asked for', async () => {
    expect(Object.keys(await totals('--suite', 'meme', '--size', '1'))).toEqual(['llm', 'hybrid'])
    await expect(totals('--suite', 'meme', '--size', '1', '--judge', 'paper')).rejects.toThrow('protocol of MemFail')
    await expect(totals('--suite', 'mem')).rejects.toThrow('There is no suite "mem"')
  })
})
