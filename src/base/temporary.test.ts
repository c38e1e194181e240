import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeTemporary, temporaryFolder } from './temporary.js'

it('removes a temporary folder with what it holds', () => {
  const folder = temporaryFolder('test')
  mkdirSync(join(folder, 'deep'))
  writeFileSync(join(folder, 'deep/file'), 'text')
  removeTemporary(folder)
  expect(existsSync(folder)).toBe(false)
})
