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
