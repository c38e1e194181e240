import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, root, temporaryFolder } from './cli.js'

interface Step {
  env: [name: string, input: string][]
  script: string
}

/** What the file of the Action says, as far as a runner of composite actions needs it. */
function readAction(): { defaults: Record<string, string>; steps: Step[] } {
  const [head, body] = readFileSync(join(root, 'action.yml'), 'utf8').split('\n  steps:\n') as [string, string]
  const inputs = head.slice(head.indexOf('\ninputs:\n'), head.indexOf('\nruns:\n'))
  const defaults = [...inputs.matchAll(/^ {2}([\w-]+):\n(?: {4}(?!default).*\n)* {4}default: "?(.*?)"?$/gm)]
  const steps = body.split(/^ {4}- /m).slice(1)
  return {
    defaults: Object.fromEntries(defaults.map(([, name, value]) => [name, value])),
    steps: steps.map((step) => {
      expect(step).toMatch(/^shell: bash$/m)
      const env = [...step.matchAll(/^ {8}(\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)]
      return {
        env: env.map(([, name, input]) => [name!, input!]),
        script: step.slice(step.indexOf('run: |\n') + 7).replace(/^ {8}/gm, ''),
      }
    }),
  }
}

const cwd = temporaryFolder()
const summaryFile = join(cwd, 'summary.md')

/** Runs the Action as a runner does: inputs with their defaults, each step by bash, which ends at the first failure. */
async function act(given: Record<string, string>): Promise<Ended & { summary: string }> {
  const { defaults, steps } = readAction()
  const ended = { code: 0 as number | null, out: '', err: '' }
  writeFileSync(summaryFile, '')
  for (const { env, script } of steps) {
    const file = join(cwd, 'step.sh')
    writeFileSync(file, script)
    const inputs = Object.fromEntries(env.map(([name, input]) => [name, given[input] ?? defaults[input]!]))
    const told = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryFile, ...inputs }
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
      cwd,
      env: { ...process.env, ...told },
    })
    child.stdout.on('data', (chunk) => {
      ended.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      ended.err += chunk
    })
    ended.code = await new Promise((resolve) => child.on('close', resolve))
    if (ended.code !== 0) break
  }
  return { ...ended, summary: readFileSync(summaryFile, 'utf8') }
}

// As npm installs it.
mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
symlinkSync(root, join(cwd, 'node_modules/memscope'))
symlinkSync('../memscope/dist/cli/main.js', join(cwd, 'node_modules/.bin/memscope'))
writeFileSync(join(cwd, 'package.json'), '{ "name": "somebody", "private": true }')
const arguments_ = (system: string) => `--suite memfail/long-hop --system ${system}\n  --size quick --k 1,5 --quiet\n`

describe('the Action', () => {
  it('has an input for everything its steps ask for', () => {
    const { defaults, steps } = readAction()
    const asked = steps.flatMap(({ env }) => env.map(([, input]) => input))
    expect(asked.sort()).toEqual(Object.keys(defaults).sort())
    expect(defaults).toMatchObject({ 'max-loss': '5', undecided: 'pass', reports: 'memscope-reports', package: '' })
  })

  it('runs, leaves its reports in a folder and the matrix in the summary of the job', async () => {
    const { code, summary } = await act({ arguments: arguments_('bm25-hops'), 'save-baseline': 'main.json' })
    expect(code).toBe(0)
    expect(summary).toMatch(/^\*\*valid run\*\*/)
    expect(summary).toMatch(/\| task \|.*\| bm25-hops \|\n\|[-|: ]+\|\n\| memfail\/long-hop, k = 5 \| 24 \|/)
    for (const name of ['report.html', 'junit.xml', 'badge.svg'])
      expect(readFileSync(join(cwd, 'memscope-reports', name), 'utf8').length).toBeGreaterThan(200)
  })

  it('fails the job when a memory got worse, and says so in the summary', async () => {
    const { code, summary } = await act({ arguments: arguments_('bm25'), baseline: 'main.json', reports: 'again' })
    expect(code).toBe(1)
    expect(summary).toMatch(/\*\*Baseline failed/)
    expect(summary).toMatch(/bm25.*worse/s)
    expect(readFileSync(join(cwd, 'again/junit.xml'), 'utf8')).toMatch(/<testsuite name="baseline"[^>]* failures="1"/)
  })

  it('fails on a gate, and on a baseline that is missing', async () => {
    expect((await act({ arguments: arguments_('bm25'), 'fail-under': 'evidence.low>=0.99' })).code).toBe(1)
    expect((await act({ arguments: arguments_('bm25'), baseline: 'nowhere.json' })).code).toBe(2)
  })

  it('runs nothing that is typed into its inputs', async () => {
    const { code } = await act({ arguments: '$(touch one) `touch one`; touch one', baseline: '"; touch one; "' })
    expect([code, existsSync(join(cwd, 'one'))]).toEqual([2, false])
  })
})
