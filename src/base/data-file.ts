import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { z } from 'zod'

/** Reads a data file of this project, checked against its schema. */
export function readData<T>(file: URL, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Reads a file of JSON lines of this project, packed or not; a bad line is named by its number. */
export function readLines<T>(file: URL, schema: z.ZodType<T>): T[] {
  const bytes = readFileSync(file)
  const lines = (file.href.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const checked = schema.safeParse(JSON.parse(line))
    if (!checked.success) throw new Error(`${fileURLToPath(file)}:${index + 1}: ${checked.error.message}`)
    return [checked.data]
  })
}
