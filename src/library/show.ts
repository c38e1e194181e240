import { UserError, unknownName } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import type { Plan } from '../engine/plan.js'
import { isGuess } from '../model/index.js'
import { failuresIn, renderFailures } from '../report/failures.js'
import { Traces } from '../report/question-traces.js'
import { renderScreen } from '../report/screen.js'
import { taskViews } from '../report/task-view.js'
import { renderTables } from '../report/terminal.js'
import { hearControl, stoppable } from './control.js'
import { notesTo, withKeptRun } from './kept-run.js'
import { EXAMPLES, shownText } from './publish.js'
import { reportData } from './read-report-data.js'
import type { ShownRun, ShowOptions } from './show-types.js'
import type { Control } from './types.js'

/** Failed questions that are shown unless more are asked for, and at most. */
const USUAL = 5
const MOST_SHOWN = 1000

/** A run on a terminal: on one screen, the tables of a task, or its failed questions. */
export async function show(asked: ShowOptions, control: Control = {}): Promise<ShownRun> {
  const usage = 'Usage: memscope show <run> [task]; "last" is the newest, memscope runs lists them.'
  const most = wholeNumber('n', asked.n ?? USUAL, 1, MOST_SHOWN)
  const { task, failed = false, verbose = false, text } = asked
  if (!failed && asked.n !== undefined) throw new UserError('--n counts failed questions.', 'Add --failed.')
  const told = hearControl(control)
  return stoppable(told, () =>
    withKeptRun(asked, { usage, note: notesTo(told) }, async (kept) => {
      const { plan } = kept.workshop
      const tasks = tasksNamed(plan, task)
      const systems = systemsNamed(plan, asked.system)
      const wanted = ({ suite, task: name, subject }: { suite: string; task: string; subject: { system: string } }) =>
        tasks.has(`${suite}/${name}`) && systems.has(subject.system)
      const isTable = (task !== undefined || verbose) && !failed
      const traces = isTable ? null : new Traces(plan, { most: failed ? most : EXAMPLES, wanted })
      const { data: whole } = await reportData(kept, traces)
      const cells = whole.summary.cells.filter(
        ({ suite, task: name, subject }) =>
          tasks.has(`${suite}/${name}`) && (isGuess(subject) || systems.has(subject.system)),
      )
      const { overall: _all, ...summary } = whole.summary
      const isPart = task !== undefined || asked.system !== undefined
      const questions = cells.reduce((sum, { n, subject }) => sum + (isGuess(subject) ? 0 : n), 0)
      const data = {
        ...whole,
        tasks: whole.tasks.filter(({ suite, name }) => tasks.has(`${suite}/${name}`)),
        ...(isPart && { summary: { ...summary, cells }, headline: { ...whole.headline, questions } }),
      }
      const typed = { run: asked.run, home: asked.home, shared: asked.store !== undefined }
      const { id: run } = kept.record
      const { status } = data.summary
      const options = { ...shownText(text), typed }
      if (failed) {
        const found = failuresIn(data, taskViews(data))
        const only = asked.system === undefined ? [] : ['--system', [asked.system].flat().join(',')]
        const more = [...(task === undefined ? [] : [task]), '--failed', ...only]
        await text.write(renderFailures(found, { ...options, most, more }))
        return { run, status, failed: { all: found.all, shown: Math.min(most, found.list.length) } }
      }
      await text.write(isTable ? renderTables(data, options) : renderScreen(data, options))
      return { run, status, failed: null }
    }),
  )
}

/** Tasks by `suite/task`, `task` or `suite`; all of them unless one is named. */
function tasksNamed({ lives }: Plan, typed: string | undefined): ReadonlySet<string> {
  const asked = lives.flatMap(({ suite, asks }) =>
    asks.map(({ question: { task } }) => ({ suite: suite.name, task, id: `${suite.name}/${task}` })),
  )
  const found = asked.filter(({ suite, task, id }) => typed === undefined || [suite, task, id].includes(typed))
  if (found.length === 0) throw unknownName('task', typed!, [...new Set(asked.map(({ id }) => id))])
  return new Set(found.map(({ id }) => id))
}

function systemsNamed({ subjects }: Plan, typed: ShowOptions['system']): ReadonlySet<string> {
  const known = new Set(subjects.map(({ system }) => system))
  if (typed === undefined) return known
  const names = [typed].flat()
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw unknownName('system', unknown, [...known])
  return new Set(names)
}
