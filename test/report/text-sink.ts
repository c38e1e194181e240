import type { Sink } from '../../src/report/sink.js'

/** Collects a report in memory. */
export function textSink(): { write: Sink; text(): string } {
  const chunks: string[] = []
  return { write: (chunk) => void chunks.push(chunk), text: () => chunks.join('') }
}
