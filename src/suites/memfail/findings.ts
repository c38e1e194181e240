import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { type MemfailTask, TASKS } from './material.js'

const Audit = z.object({
  files: z.record(z.enum(TASKS), z.object({ path: z.string(), sha256: z.string() })),
  findings: z.array(
    z.object({
      task: z.enum(TASKS),
      kind: z.enum(['flag', 'repair-label', 'drop-question', 'unsupported']),
      rows: z.array(z.number()),
      why: z.string(),
    }),
  ),
})

const audit = readData(new URL('./audit.json', import.meta.url), Audit)

export type FindingKind = z.infer<typeof Audit>['findings'][number]['kind']

/** Where a task's file stands in a release. */
export function releasePath(task: MemfailTask): string {
  return audit.files[task].path
}

/** What people found in a row of the release, or nothing when the file is another one. */
export function findingsFor(task: MemfailTask, hash: string): (row: number) => { kind: FindingKind; why: string }[] {
  if (audit.files[task].sha256 !== hash) return () => []
  const ours = audit.findings.filter((finding) => finding.task === task)
  return (row) => ours.filter(({ rows }) => rows.includes(row)).map(({ kind, why }) => ({ kind, why }))
}
