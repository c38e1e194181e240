import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './cli.js'
import { npm } from './nodes.js'

interface Lock {
  packages: Record<string, { link?: boolean; resolved?: string }>
}

/**
 * A project that wants nothing but some packed packages of ours. It is given the versions that are locked here: npm has them at hand from
 * installing this one, so that nothing is fetched, and installs those that the packages ask for, no more.
 *
 * @param tarballs files by the names of packages; of a workspace its folder is known by the link that npm made
 */
export function installPacked(project: string, tarballs: Record<string, string>): void {
  mkdirSync(project)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const wanted = {
    name: 'mine',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`])),
  }
  const ours = Object.entries(tarballs).map(([name, file]) => {
    // The root links to itself.
    const home = lock.packages[`node_modules/${name}`]?.resolved ?? ''
    const { ...own } = lock.packages[home]
    const more = { name: undefined, workspaces: undefined, devDependencies: undefined, resolved: `file:${file}` }
    return [`node_modules/${name}`, { ...own, ...more }]
  })
  const others = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  const packages = { '': wanted, ...Object.fromEntries(others), ...Object.fromEntries(ours) }
  const write = (name: string, value: object) => writeFileSync(join(project, name), JSON.stringify(value))
  write('package.json', wanted)
  write('package-lock.json', { name: 'mine', version: '1.0.0', lockfileVersion: 3, requires: true, packages })
  npm('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], project)
}

/** Puts tools that a project would have installed itself beside what it has. */
export function linkTools(project: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(project, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), path, 'junction')
  }
}
