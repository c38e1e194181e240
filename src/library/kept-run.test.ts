import { expect, it } from 'vitest'
import { tinyRequest } from '../../test/engine/request.js'
import { keptRequest } from './kept-run.js'

it('reads a run of one judge as one of two that are the same', () => {
  const settingParts = { seed: '1', 'fact judge': 'key', 'answer judge': 'key' }
  const now = { request: tinyRequest({ judge: { facts: 'llm:p:m', answers: 'llm:p:m' } }), settingParts }
  const before = { request: { ...now.request, judge: 'llm:p:m' }, settingParts: { seed: '1', judge: 'key' } }
  expect(keptRequest(before)).toEqual(now)
  expect(keptRequest(now)).toEqual(now)
})
