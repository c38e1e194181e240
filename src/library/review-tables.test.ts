import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cellText, readReviewTable, withoutFormula, writeReviewTable } from './review-tables.js'

describe('tables for people', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memscope-tables-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('hold no formula, and are read as they were given', async () => {
    const file = join(folder, 'review-a.csv')
    const texts = [
      '=HYPERLINK("http://evil.example")',
      '+1',
      '-1',
      '@sum',
      ' =1',
      "'=1",
      '\t=1',
      '\u200b=1',
      '＝1',
      'I like tea = coffee',
    ]
    const rows = texts.map((text, at) => ({ id: `=${at}`, text, claim: text, verdict: '', note: text }))
    await writeReviewTable({ file, rows })
    expect(
      readFileSync(file, 'utf8')
        .split(/,|\n/)
        .filter((cell) => /^"?\s*[=+\-@＝]/u.test(cell)),
    ).toEqual([])
    expect(readReviewTable(file).rows).toEqual(rows)
  })

  it('give every text back', () => {
    const text = fc.array(fc.constantFrom("'", '=', '+', '-', '@', ' ', '\t', 'a', '\u200b'), { maxLength: 8 })
    fc.assert(
      fc.property(text, (parts) => {
        const given = parts.join('')
        expect(cellText(withoutFormula(given))).toBe(given)
        expect(withoutFormula(given)).not.toMatch(/^[\s\u200b]*[=+\-@]/)
      }),
    )
  })
})
