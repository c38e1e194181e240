import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGE_NAME } from '../src/base/package-name.js'
import { root } from './cli.js'

/** What people read and copy from. */
const read = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'action.yml',
  'docs',
  'examples',
  'templates',
  'src',
].flatMap((place) => {
  if (place.includes('.')) return [place]
  const names = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => !name.includes('node_modules') && /\.(?:md|ts|mjs|py|sh|ya?ml|json)$/.test(name))
    .map((name) => join(place, name))
})

describe('the name of the package', () => {
  it('is that of the manifest', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name).toBe(PACKAGE_NAME)
  })

  it('is asked of no registry by anything that people are told to type', () => {
    expect(read.length).toBeGreaterThan(300)
    // Without --no-install npx takes what a registry has under the name, and npm install does where no file is named.
    const asks = new RegExp(
      String.raw`\b(?:npx|bunx|pnpm dlx|yarn dlx)(?: -y| --yes)? "?${PACKAGE_NAME}\b|\bnpm (?:i|install|add)\b[^\n#]* ${PACKAGE_NAME}(?:@|\s|$)`,
      'm',
    )
    const found = read.filter((file) => asks.test(readFileSync(join(root, file), 'utf8')))
    expect(found).toEqual([])
  })
})
