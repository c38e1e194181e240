import { expect, it } from 'vitest'
import { defineSystem } from '../model/index.js'
import { aMem } from '../systems/a-mem/index.js'
import { Parts } from './own-parts.js'

it('an object is taken with all that it says of itself', () => {
  const parts = new Parts([defineSystem({ ...aMem, name: 'mine' })])
  const { mostFound, paperK, prompts, atomic } = parts.systems.get('mine')!
  expect([mostFound!(5), paperK, prompts, atomic]).toEqual([15, aMem.paperK, aMem.prompts, true])
})
