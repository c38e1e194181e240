import { UserError } from '../base/errors.js'
import { inPercent } from '../base/percent.js'
import { type AnnotatorAgreement, compareAnnotators, type KindAgreement } from '../judges/annotators.js'
import { LABELS } from '../judges/gold.js'
import { plural } from '../report/format.js'
import type { Typed } from './args.js'
import { readCases } from './judge-files.js'
import { confusionTable } from './judge-tables.js'

/** `memscope judge agree a.jsonl b.jsonl`: how two people agree who labelled the same cases. */
export async function showAgreement({ words: [, a, b], text }: Typed): Promise<number> {
  if (a === undefined || b === undefined)
    throw new UserError('Two files are needed.', 'Usage: memscope judge agree a.jsonl b.jsonl [--json -]')
  const read = (name: string) => ({ name, text: readCases(name, 'Give a file of labelled cases.') })
  const found = compareAnnotators(read(a), read(b))
  if (text.json === '-') process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  else {
    for (const kind of ['facts', 'answers', 'criteria'] as const)
      if (found[kind]) process.stdout.write(tableOf(kind, found[kind]))
  }
  return 0
}

function tableOf(kind: 'facts' | 'answers' | 'criteria', result: KindAgreement): string {
  const { only, unlabelled, byTask, byKind } = result
  const parts = [
    ...Object.entries(byTask).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(byKind).map(([name, part]) => row(`  ${name}`, part)),
  ]
  const open = [
    only.first > 0 ? `${plural(only.first, 'item')} labelled by the first alone` : '',
    only.second > 0 ? `${plural(only.second, 'item')} labelled by the second alone` : '',
    unlabelled > 0 ? `${plural(unlabelled, 'item')} by neither` : '',
  ].filter(Boolean)
  return [
    `${''.padEnd(30)}    n    agree      95 %       kappa      95 %\n`,
    row(kind, result),
    ...parts,
    open.length > 0 ? `\nNot compared: ${open.join(', ')}.\n` : '',
    confusionTable('first \\ second', LABELS[kind], result.confusion),
    '\n',
  ].join('')
}

function row(name: string, { n, agreement, ci95, kappa, kappaCi95 }: AnnotatorAgreement): string {
  const percent = agreement === null ? '–' : inPercent(agreement, 1)
  const span = ci95 === null ? '–' : ci95.map((end) => (100 * end).toFixed(1)).join('–')
  const shown = kappa === null ? '–' : kappa.toFixed(3)
  const bounds = kappaCi95 === null ? '–' : kappaCi95.map((end) => end.toFixed(2)).join(' to ')
  return `${name.padEnd(30)}${String(n).padStart(5)} ${percent.padStart(8)} ${span.padStart(11)} ${shown.padStart(9)} ${bounds.padStart(13)}\n`
}
