import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineSystem, type Memory, report, run } from '../src/index.js'
import { temporaryFolder } from './cli.js'
import { saidFact, tinyQuestion, tinyScenario } from './engine/keeper.js'
import { tinySuite } from './engine/suite.js'

const suite = tinySuite(tinyScenario([saidFact(0, 'Ada keeps bees.')], [tinyQuestion('q0', [['f0']])]), 2)

const notes = (name: string, remarks?: string[]) =>
  defineSystem({
    name,
    ...(remarks && { remarks }),
    create() {
      const held: Memory[] = []
      return {
        store: async ({ id, turns }) => void held.push(...turns.map(({ text }, i) => ({ id: `${id}#${i}`, text }))),
        retrieve: async (_, k) => held.slice(0, k),
        dump: async () => [...held],
      }
    },
  })

describe('remarks of systems', () => {
  it('are kept with the run and stand in every report, beside the rows they are about', async () => {
    const home = temporaryFolder()
    const today = 'does not go by scenario time'
    const evil = 'says "<b>\u001b[31mtrust me</b>"'
    const systems = [notes('late', [today]), notes('later', [today, evil]), notes('plain')]
    const { summary } = await run({ suite, system: systems, k: 1, home })
    expect(Object.fromEntries(summary.cells.map(({ system, remarks }) => [system, remarks]))).toEqual({
      late: [today],
      later: [today, evil],
      plain: undefined,
    })
    expect(summary.cells.filter((cell) => 'remarks' in cell)).toHaveLength(2)

    const [html, md, csv] = ['html', 'md', 'csv'].map((kind) => join(home, `report.${kind}`))
    let text = ''
    const write = (part: string) => {
      text += part
    }
    // The run tells what was kept, whatever the systems say of themselves now.
    const parts = [suite, notes('late'), notes('later'), notes('plain')]
    const again = await report({ run: 'last', home, parts, html: html!, md: md!, csv: csv!, text: { write } })
    expect(again.summary.cells).toEqual(summary.cells)
    const read = (file: string | undefined) => readFileSync(file!, 'utf8')
    expect(read(html).split(today)).toHaveLength(3)
    for (const shown of [text, read(md)]) expect(shown.replace(/\s+/g, ' ')).toContain(`late and later: ${today}.`)
    for (const shown of [text, read(md), read(html)]) {
      for (const unsafe of ['\u001b', '<b>trust']) expect(shown).not.toContain(unsafe)
    }
    const [head, ...rows] = read(csv).split('\n')
    expect(head).toMatch(/,remarks,/)
    expect(rows[0]).toContain(`,${today},`)
  })

  it('leave files of runs without any as they were', async () => {
    const home = temporaryFolder()
    const csv = join(home, 'cells.csv')
    const { summary } = await run({ suite, system: notes('plain'), k: 1, home, csv })
    expect(JSON.stringify(summary)).not.toContain('remarks')
    expect(readFileSync(csv, 'utf8')).not.toContain('remarks')
  })
})
