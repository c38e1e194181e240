import { expect, it } from 'vitest'
import { withoutNearCopies } from './near-copies.js'

const STATEMENT = 'Ada bakes rye bread for the market.'
const chunk = (text: string, near: number, typical?: number) => ({
  memory: text,
  text,
  near,
  ...(typical !== undefined && { typical }),
})
const left = (...chunks: ReturnType<typeof chunk>[]) =>
  withoutNearCopies(STATEMENT, chunks, 0.08, 2e-5).standing.map(({ text }) => text)

it('lets the near copy with most words of the statement stand for the others, though one of them is a little nearer', () => {
  const whole = chunk('Ada bakes rye loaves for the spring market.', 0.8, 0.4)
  const lacking = chunk('Ada bakes rye loaves for the spring kennel.', 0.84, 0.6)
  expect(left(lacking, whole)).toEqual([whole.text])
})

it('lets the most typical of near copies stand where they share as much', () => {
  const odd = chunk('Ada bakes rye bread for the quoits market.', 0.9, 0.3)
  const typical = chunk('Ada bakes rye bread for the spring market.', 0.85, 0.5)
  expect(left(odd, typical)).toEqual([typical.text])
})

it('lets the nearest stand of near copies that share as much and are as typical', () => {
  const near = chunk('Ada bakes rye bread for the quoits market.', 0.9, 0.5)
  const far = chunk('Ada bakes rye bread for the spring market.', 0.85, 0.5)
  expect(left(near, far)).toEqual([near.text])
})

it('keeps a near copy that is much nearer, one in other words, and all of them in a small store', () => {
  const near = chunk('User likes tramping.', 0.8, 0.5)
  const far = chunk('User likes opera.', 0.3, 0.9)
  const other = chunk('What the user bakes is bread.', 0.29, 1)
  expect(left(near, far, other)).toEqual([near.text, far.text, other.text])
  const small = [chunk('Ada bakes rye bread at noon.', 0.9), chunk('Ada bakes rye bread at dusk.', 0.89)]
  expect(left(...small)).toEqual(small.map(({ text }) => text))
})

it('tells which nearness must be exact: that of copies at the edge of standing for one another', () => {
  const [first, second] = ['Ada bakes rye bread at noon.', 'Ada bakes rye bread at dusk.']
  const unclear = (near: number) =>
    withoutNearCopies(STATEMENT, [chunk(first!, 0.9, 0.5), chunk(second!, near, 0.5)], 0.08, 2e-5).unclear
  expect(unclear(0.87)).toEqual([])
  expect(unclear(0.82 - 1e-6)).toEqual([first, second])
})
