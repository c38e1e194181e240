import { expect, it } from 'vitest'
import { giveWay, mapGivingWay } from './give-way.js'

const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('lets others in while long work goes on, and keeps the order', async () => {
  await giveWay()
  let heard = 0
  const timer = setInterval(() => heard++, 1)
  const made = await mapGivingWay([1, 2, 3, 4, 5], (n) => {
    busy(60)
    return heard * 10 + n
  })
  clearInterval(timer)
  expect(heard).toBeGreaterThanOrEqual(3)
  expect(made.map((n) => n % 10)).toEqual([1, 2, 3, 4, 5])
})

it('keeps a turn short however much gives way at a time', async () => {
  let most = 0
  let steps = 0
  const timer = setInterval(() => {
    most = Math.max(most, steps)
    steps = 0
  }, 1)
  const work = () =>
    mapGivingWay(Array(20).keys(), () => {
      busy(5)
      steps++
    })
  await Promise.all(Array.from({ length: 20 }, work))
  clearInterval(timer)
  // Ten of the first and one of each other; with a turn of its own each of them would make ten.
  expect(most).toBeLessThan(100)
})
