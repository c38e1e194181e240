import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fakeLlm } from '../../test/judges/fake-llm.js'
import { fingerprint } from '../base/hash.js'
import { loadAll, systems } from '../builtins.js'
import { systemTestContext } from './conformance/fixtures.js'
import {
  choiceOption,
  numberOption,
  optionsIn,
  optionTable,
  readOptions,
  switchOption,
  withDefaults,
} from './options.js'
import { resolveSystem } from './registry.js'

const SCHEMA = z.object({
  depth: numberOption('2', 'how deep', { min: 1, whole: true }),
  share: numberOption('0.5', 'how much', { min: 0, max: 1 }),
  way: choiceOption(['up', 'down'], 'where to'),
  loud: switchOption('off', 'on: loud; off'),
})

describe('options as a schema', () => {
  it('are read with their types, and are the default where nothing was typed', () => {
    expect(readOptions(SCHEMA, { depth: '3', loud: 'on', prompts: 'x' })).toEqual({
      depth: 3,
      share: 0.5,
      way: 'up',
      loud: true,
    })
    expect(optionTable(SCHEMA)).toEqual({
      depth: { default: '2', about: 'how deep' },
      share: { default: '0.5', about: 'how much' },
      way: { default: 'up', about: 'where to' },
      loud: { default: 'off', about: 'on: loud; off' },
    })
  })

  it.each([
    ['depth', '1.5', 'Expected "depth" to be a whole number from 1 up, got "1.5".'],
    ['depth', '', 'Expected "depth" to be a whole number from 1 up, got "".'],
    ['share', '2', 'Expected "share" to be a number from 0 to 1, got "2".'],
    ['way', 'left', 'Expected "way" to be one of up, down, got "left".'],
    ['loud', 'yes', 'Expected "loud" to be one of on, off, got "yes".'],
  ])('say of %s what was expected when it is "%s"', (key, typed, message) => {
    expect(() => readOptions(SCHEMA, { [key]: typed })).toThrow(message)
  })
})

describe('the options of built-in systems', () => {
  const kept: Record<string, string> = JSON.parse(
    readFileSync(new URL('../../test/fixtures/systems/option-prints.json', import.meta.url), 'utf8'),
  )

  it('name what was kept under them: labels, defaults and variants are what they were', async () => {
    for (const [spec, print] of Object.entries(kept)) {
      const { definition, options, label } = await resolveSystem(spec, '/')
      expect(fingerprint({ name: definition.name, options, label }), spec).toBe(print)
    }
  })

  it('are refused one by one, by name, when they are what they cannot be', async () => {
    let tried = 0
    for (const definition of await loadAll(systems)) {
      const context = { ...systemTestContext(), llm: fakeLlm(() => '') }
      for (const key of Object.keys(definition.options ?? {})) {
        const options = { ...withDefaults(optionsIn(definition), {}), [key]: 'changed' }
        const made = async () => definition.create(context, options)
        await expect(made(), `${definition.name}:${key}`).rejects.toThrow(`Expected "${key}" to be`)
        tried++
      }
    }
    expect(tried).toBeGreaterThan(100)
  })

  it('are refused together where one limits the other', async () => {
    const { definition, options } = await resolveSystem('simplemem:window=3:overlap=3', '/')
    const made = async () => definition.create({ ...systemTestContext(), llm: fakeLlm(() => '') }, options)
    await expect(made()).rejects.toThrow('Expected "overlap" to be a whole number from 0 to 2, got "3".')
  })
})
