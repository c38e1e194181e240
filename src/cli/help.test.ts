import { describe, expect, it, vi } from 'vitest'
import { flagOf } from '../library/settings/setting.js'
import { RUN_SETTINGS } from '../library/settings/table.js'
import { commandLine } from './command-line.js'

async function printed(...args: string[]): Promise<string> {
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  try {
    expect(await commandLine(args)).toBe(0)
  } finally {
    write.mockRestore()
  }
  return said.join('')
}

const overview = await printed('--help')
const commands = [...overview.split('Exit codes')[0]!.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
const flagsIn = (help: string) => [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name!)
const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length))

describe('help', () => {
  it('names about eighteen commands, each once', () => {
    expect(new Set(commands).size).toBe(commands.length)
    expect(commands.length).toBeLessThanOrEqual(18)
  })

  it.each(['', ...commands, ...['generate', 'review', 'export', 'lint'].map((verb) => `data ${verb}`)])(
    'is at most 80 columns wide: memscope %s',
    async (command) => {
      const help = await printed(...command.split(' ').filter(Boolean), '--help')
      expect(help.split('\n').filter((line) => [...line].length > 80)).toEqual([])
      expect(widest(help)).toBeGreaterThan(40)
    },
  )

  it('of run documents every setting of the table once, in at most 55 flags', async () => {
    const flags = flagsIn(await printed('run', '--help'))
    expect(flags).toEqual(expect.arrayContaining(Object.keys(RUN_SETTINGS).map(flagOf)))
    expect(new Set(flags).size).toBe(flags.length)
    expect(flags.length).toBeLessThanOrEqual(55)
  })

  it.each(['rejudge', 'reanswer'])('of %s is that of redo, and the overview does not name it', async (name) => {
    expect(await printed(name, '--help')).toBe(await printed('redo', '--help'))
    expect(overview).not.toContain(name)
  })
})

describe('a flag that moved', () => {
  it.each([
    ['run --llm-timeout 3', 'It is now: --llm timeout=<s>'],
    ['run --embedder-dimensions 3', 'It is now: --embedder provider:model:dimensions=<n>'],
    ['run --badge memory.svg', 'It is now: memscope report <run> --badge <file>'],
    ['run --personas all', 'It is now: --suite memora:personas=<value>, with + between several'],
    ['report last --max-loss 3', 'It is now: --baseline <run>:max-loss=<points>'],
    ['report last --verbose', 'It is now: memscope show <run> --verbose'],
    ['worker --llm-concurrency 3', 'It is now: --llm concurrency=<n>'],
    ['run --suite ./own.ts/one --crowd 3', '--suite ./own.ts/one:crowd=<value>'],
  ])('is refused with the words of now: %s', async (typed, hint) => {
    await expect(commandLine(typed.split(' '))).rejects.toMatchObject({
      hint: expect.stringContaining(hint),
      exitCode: 2,
    })
  })
})
