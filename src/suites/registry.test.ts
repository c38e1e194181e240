import { expect, it } from 'vitest'
import { suiteSpec } from './registry.js'

it.each([
  ['long', { name: 'long', task: null, isFile: false }],
  ['long/hop', { name: 'long', task: 'hop', isFile: false }],
  ['long/a/b', { name: 'long', task: 'a/b', isFile: false }],
  ['./my-suite.ts', { name: './my-suite.ts', task: null, isFile: true }],
  ['./my-suite.ts/hop', { name: './my-suite.ts', task: 'hop', isFile: true }],
  ['/home/me/app.js/my-suite.mjs', { name: '/home/me/app.js/my-suite.mjs', task: null, isFile: true }],
])('%s names a suite, a task or a file', (typed, spec) => {
  expect(suiteSpec(typed)).toEqual({ ...spec, options: {} })
})
