/** How much it counts what kinds the things are of that a note speaks of, beside what it says. */
const KINDS = 1.5
/** What is less likely than this is not told apart. */
const UNLIKELY = 1e-3

/**
 * How likely each note is one of the set that a question wants.
 *
 * @param similarities of every note as it was said
 * @param fits how well the things that it speaks of fit the kinds that are asked for
 */
export function setLikeness(similarities: Float64Array, fits: Float64Array): Float64Array {
  const likeness = standardised(similarities)
  const byKinds = standardised(fits.map((fit) => Math.log(fit + UNLIKELY)))
  for (let note = 0; note < likeness.length; note++) likeness[note]! += KINDS * byKinds[note]!
  return likeness
}

/** Scores with a mean of 0 and a deviation of 1. */
function standardised(scores: Float64Array): Float64Array {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < scores.length; i++) {
    sum += scores[i]!
    squares += scores[i]! * scores[i]!
  }
  const mean = sum / (scores.length || 1)
  const deviation = Math.sqrt(Math.max(0, squares / (scores.length || 1) - mean * mean)) || 1
  const standard = new Float64Array(scores.length)
  for (let i = 0; i < scores.length; i++) standard[i] = (scores[i]! - mean) / deviation
  return standard
}
