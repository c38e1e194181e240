import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { suites } from '../builtins.js'
import { queryOf, scenarioIdOf } from '../engine/open-system.js'
import type { LoadedPlanSuite, RunRequest } from '../engine/plan.js'
import { asTold, readReader, textWithChoices, timeOf } from '../model/index.js'
import { plural } from '../report/format.js'
import { suiteSpec } from '../suites/registry.js'
import { bringsAnswers, momentIdOf } from '../systems/traces/index.js'
import { quoted, readTraces, type ScoringSetting, TRACES_FORM } from '../systems/traces/read.js'
import { loadSuites } from './compose.js'
import { hearControl, stoppable } from './control.js'
import { Parts } from './own-parts.js'
import { requestFrom } from './request.js'
import { run } from './run.js'
import { deepestOf, isLocalFlag, scoringSetting, tracesSpec } from './scored-traces.js'
import { listOf } from './settings/values.js'
import type { Control, ExportForScoringOptions, RunResult, ScoreOptions, WrittenData } from './types.js'
import { writeWhole } from './whole-file.js'

/** Conversations and questions without gold, for a system that is run elsewhere. */
export async function exportForScoring(asked: ExportForScoringOptions, control: Control = {}): Promise<WrittenData> {
  const { out, parts: objects, ...rest } = asked
  const told = hearControl(control)
  if (out === undefined)
    throw new UserError('Where shall it go?', 'Give a file with --out <file>, or --out - for standard output.')
  const path = typeof out === 'string' ? resolve(out) : null
  if (path !== null && existsSync(path)) throw new UserError(`${out} is there already.`, 'Choose another name.')
  const parts = new Parts(objects)
  const request = await requestFrom({ ...rest, size: asked.size ?? 'quick', system: 'none', tokenBudget: [] }, parts)
  const loaded = await loadSuites(request, parts)
  const count = { open: 0, store: 0, retrieve: 0 }
  const lines = function* () {
    for (const line of exportedLines(request, loaded)) {
      told.stopIfAsked(null)
      if (line.do === 'open' || line.do === 'store' || line.do === 'retrieve') count[line.do]++
      yield `${JSON.stringify(line)}\n`
    }
  }
  await stoppable(told, async () => {
    if (typeof out === 'function') {
      for (const line of lines()) if ((await out(line)) === false) return
    } else {
      makeFolder(dirname(path!))
      await writeWhole(path!, async (write) => {
        for (const line of lines()) await write(line)
      })
    }
  })
  const note = `${plural(count.open, 'memory', 'memories')}, ${plural(count.store, 'conversation')}, ${plural(count.retrieve, 'question')}`
  return { files: path === null ? [] : [{ path, note }], told: [] }
}

/** A header, then what the memory protocol would ask, in order. Nothing in it tells gold, tasks, or which row a question is. */
function* exportedLines(
  request: RunRequest,
  loaded: readonly LoadedPlanSuite[],
): Generator<{ do?: string; memscope?: 'export' }> {
  const header = { form: TRACES_FORM, setting: scoringSetting(request, loaded) }
  yield { memscope: 'export', ...header }
  for (const { suite, scenarios } of loaded)
    for (const scenario of scenarios) {
      const memory = scenarioIdOf(scenario)
      let now = scenario.timeline[0] ? timeOf(scenario.timeline[0]) : ''
      let stored = 0
      let looked = 0
      const asked = (what: string, more: object = {}) => ({ do: what, memory, now, ...more })
      yield asked('open')
      for (const event of scenario.timeline) {
        now = timeOf(event)
        if (event.type === 'conversation') {
          const { id, time, turns } = asTold(event.conversation)
          const conversation = { id, time, turns: turns.map(({ role, text }) => ({ role, text })) }
          yield asked('store', { conversation })
          stored++
        }
        if (stored > looked && (event.type === 'probe' || suite.timeline)) {
          looked = stored
          yield asked('dump', { moment: momentIdOf(memory, stored) })
        }
        if (event.type === 'conversation') continue
        for (const question of event.probe.questions) {
          const query = queryOf(scenario, question, now)
          const k = deepestOf(request, suite, question.task)
          yield asked('retrieve', { query, k, depth: { k } })
          yield asked('answer', { query: { ...query, text: textWithChoices(question) } })
        }
      }
      yield asked('close')
    }
}

/** Grades what a system that was run elsewhere retrieved, as a run. */
export async function score(asked: ScoreOptions, control: Control = {}): Promise<RunResult> {
  const { traces: file, tokenBudget = [], ...rest } = asked
  if (file === undefined) throw new UserError('Which traces?', 'Usage: memscope score <traces.jsonl> [flags]')
  const traces = await readTraces(resolve(file))
  const { setting } = traces.header
  const readers = [asked.reader ?? []].flat().filter((one) => typeof one === 'object' || readReader(one) !== null)
  if (readers.length > 0 && bringsAnswers(traces))
    throw new UserError(`${file} brings answers, so that no reader is asked.`, 'Leave out --reader, or the answers.')
  const { suite, size, seed, view } = setting
  const given = { suite, ...rest, settings: settingsFor(setting, asked), size, seed, view }
  return run({ ...given, tokenBudget, system: tracesSpec(file) }, control)
}

/**
 * Settings of suites as the traces tell them and the caller adds. What would be read from this machine is the caller's to name: a file of
 * somebody else's names no other.
 */
function settingsFor({ suite, settings, local }: ScoringSetting, asked: ScoreOptions): Record<string, string> {
  const isOwn = (typed: string) => {
    const { name, isFile } = suiteSpec(typed)
    return isFile || !suites.some((known) => known.name === name)
  }
  const own = suite.filter(isOwn)
  const typed = (listOf(asked.suite) ?? []).map((one) => (typeof one === 'string' ? suiteSpec(one).options : {}))
  const given: Record<string, unknown> = Object.assign({}, ...typed, asked.settings, {
    data: asked.data,
    suite: asked.suite,
  })
  const missing = [...(own.length > 0 ? ['suite'] : []), ...local].find((name) => given[name] === undefined)
  if (missing !== undefined)
    throw new UserError(
      `The questions were exported with a --${quoted(missing)} of one's own: name it again.`,
      local.includes(missing) && missing !== 'data'
        ? `Write it behind its suite: --suite name:${quoted(missing)}=<path>`
        : undefined,
    )
  const told = Object.entries(settings).filter(
    ([name]) => !isLocalFlag(suites, name) && !typed.some((one) => name in one),
  )
  return { ...Object.fromEntries(told), ...asked.settings }
}
