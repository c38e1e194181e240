import { expect, it } from 'vitest'
import { commandWords, isOutsideSpec, readOutsideSpec, settingsIn, specOf } from './outside-spec.js'

it.each([
  ['cmd:./server --flag', { scheme: 'cmd', target: './server --flag', options: {} }],
  [
    'mine=cmd[env=A+B,size=3]:./s a,b',
    { scheme: 'cmd', name: 'mine', target: './s a,b', options: { env: 'A+B', size: '3' } },
  ],
  ['http://127.0.0.1:8080/memory?a=1,2', { scheme: 'http', target: 'http://127.0.0.1:8080/memory?a=1,2', options: {} }],
  [
    'x=https[header.Authorization=T]://h/m',
    { scheme: 'http', name: 'x', target: 'https://h/m', options: { 'header.Authorization': 'T' } },
  ],
  ['py:my_module:MyMemory', { scheme: 'py', target: 'my_module:MyMemory', options: {} }],
  ['mcp[driven]:npx -y a@1', { scheme: 'mcp', target: 'npx -y a@1', options: { driven: 'on' } }],
])('reads %s', (typed, spec) => {
  expect(readOutsideSpec(typed)).toEqual(spec)
  expect(isOutsideSpec(typed)).toBe(true)
})

it.each(['bm25', 'bm25:k1=1.5', './my-memory.ts', './my-memory.ts:mode=cmd', 'httpd', 'cmd', 'cmd:'])(
  'leaves %s to others',
  (typed) => expect(readOutsideSpec(typed)).toBeNull(),
)

it('says the same as an object', () => {
  const spec = specOf({
    name: 'mine',
    use: 'cmd[a=1]:./server --x',
    env: ['KEY', 'HOME2'],
    headers: { 'X-Token': 'VARIABLE' },
    options: { b: 'one, two]' },
  })
  const read = readOutsideSpec(spec)!
  expect(read).toMatchObject({ name: 'mine', scheme: 'cmd', target: './server --x' })
  expect(settingsIn(read)).toEqual({
    env: ['KEY', 'HOME2'],
    headers: { 'X-Token': 'VARIABLE' },
    own: { a: '1', b: 'one, two]' },
  })
  expect(() => specOf({ use: './x.ts' })).toThrow(/"use" begins with/)
  expect(() => specOf({ use: 'cmd:x', environment: {} } as never)).toThrow(/environment/)
})

it('takes a command apart without a shell', () => {
  expect(commandWords(`./s --name 'two words' "" a"b c"d $HOME; |y`)).toEqual([
    './s',
    '--name',
    'two words',
    '',
    'ab cd',
    '$HOME;',
    '|y',
  ])
  expect(() => commandWords("./s 'open")).toThrow(/quote is not closed/)
  expect(() => commandWords(' ')).toThrow(/Expected a command/)
})
