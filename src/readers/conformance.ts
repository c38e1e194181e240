import { describe } from 'vitest'
import { itKeeps } from '../judges/conformance.js'
import { newReaderOf, type ReaderUnderTest, readerChecks } from './reader-checks.js'

/**
 * The contract of `Reader` as a vitest suite. Authors elsewhere get it from `memscope/conformance`.
 *
 * @example runReaderConformance({ name: 'my-reader', definition: myReader })
 */
export function runReaderConformance(reader: ReaderUnderTest): void {
  describe(`${reader.name} as a reader`, () => itKeeps(readerChecks, newReaderOf(reader)))
}
