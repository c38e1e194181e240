import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readSigns } from '../../src/systems/mosaic/attribute-inventory.js'
import { hashOf, MADE_OF, readAttributes } from './text.js'

describe('the inventory of attributes', () => {
  it('was made of the text as it stands, without what has words of a suite', () => {
    const read = readAttributes()
    const { attributes, names, tellings } = read
    expect(readFileSync(MADE_OF, 'utf8').trim()).toBe(hashOf(read))
    const shipped = readSigns(gunzipSync(readFileSync('src/systems/mosaic/attributes.bin')))
    expect(shipped.attributes).toBe(attributes)
    expect([...shipped.names.owners]).toEqual(names.map(({ owner }) => owner))
    expect([...shipped.tellings.owners]).toEqual(tellings.map(({ owner }) => owner))
    expect(tellings.length).toBeGreaterThan(25_000)
  })
})
