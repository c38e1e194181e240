interface Examples {
  vectors: readonly Float32Array[]
  value: number
}

/** How much large weights are held back, and steps towards the best ones. */
const RIDGE = 1e-3
const STEPS = 200
/** Nearer than this to the best weights nothing changes. */
const NEAR = 1e-12

/**
 * A linear function that comes nearest to the values of some vectors; all values count the same, however many vectors have one. Conjugate
 * gradients: takes time in proportion to the length of vectors, not to its cube.
 *
 * @example linearFit([{ vectors: [Float32Array.of(1, 0)], value: 1 }, { vectors: [Float32Array.of(0, 1)], value: -1 }])
 */
export function linearFit(examples: readonly Examples[]): (vector: Float32Array) => number {
  const rows = examples.flatMap(({ vectors, value }) =>
    vectors.map((vector) => ({ vector, value, weight: 1 / examples.length / vectors.length })),
  )
  const length = (rows[0]?.vector.length ?? 0) + 1
  // What the normal equations make of some weights; the last weight is that of a constant.
  const applied = (weights: Float64Array): Float64Array => {
    const sums = weights.map((weight, d) => (d < length - 1 ? RIDGE * weight : 0))
    for (const { vector, weight } of rows) spread(sums, vector, weight * valueAt(weights, vector))
    return sums
  }
  const weights = new Float64Array(length)
  const rest = new Float64Array(length)
  for (const { vector, value, weight } of rows) spread(rest, vector, weight * value)
  const direction = rest.slice()
  let left = dot(rest, rest)
  for (let step = 0; step < STEPS && left > NEAR; step++) {
    const moved = applied(direction)
    const size = left / dot(direction, moved)
    for (let d = 0; d < length; d++) {
      weights[d]! += size * direction[d]!
      rest[d]! -= size * moved[d]!
    }
    const next = dot(rest, rest)
    for (let d = 0; d < length; d++) direction[d] = rest[d]! + (next / left) * direction[d]!
    left = next
  }
  return (vector) => valueAt(weights, vector)
}

function valueAt(weights: Float64Array, vector: Float32Array): number {
  let sum = weights[vector.length]!
  for (let d = 0; d < vector.length; d++) sum += weights[d]! * vector[d]!
  return sum
}

function spread(sums: Float64Array, vector: Float32Array, by: number): void {
  for (let d = 0; d < vector.length; d++) sums[d]! += by * vector[d]!
  sums[vector.length]! += by
}

function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, d) => sum + value * other[d]!, 0)
}
