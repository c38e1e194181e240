import { describe, expect, it } from 'vitest'
import { daySpans, isDayNamed, wholeDate } from './days.js'

describe('days in a text', () => {
  it.each([
    ['7 May 2023', '2023-05-07..2023-05-07'],
    ['May 7th, 2023', '2023-05-07..2023-05-07'],
    ['[2023-05-07] she left', '2023-05-07..2023-05-07'],
    ['March-15-2024', '2024-03-15..2024-03-15'],
    ['May 2023', '2023-05-01..2023-05-31'],
    ['in 2022', '2022-01-01..2022-12-31'],
    ['the summer of 2022', '2022-06-01..2022-08-31'],
    ['first week of April, 2023', '2023-04-01..2023-04-07'],
    ['last week of October 2023', '2023-10-25..2023-10-31'],
    ['first weekend of August 2023', '2023-08-05..2023-08-06'],
    ['early August, 2023', '2023-08-01..2023-08-10'],
    ['The Friday before 15 July 2023', '2023-07-14..2023-07-14'],
    ['the week before 9 June 2023', '2023-06-02..2023-06-08'],
    ['the weekend before March 26, 2023', '2023-03-18..2023-03-19'],
    ['two weekends before 17 July 2023', '2023-07-08..2023-07-09'],
    ['Saturday after 27 January, 2023', '2023-01-28..2023-01-28'],
    ['a few days before May 24, 2023', '2023-05-18..2023-05-23'],
    ['between 26 March and 20 April 2023', '2023-03-26..2023-04-20'],
    ['November 5-6, 2022', '2022-11-05..2022-11-06'],
    ['a few years before 2023', '2023-01-01..2023-12-31'],
    ['for four months', ''],
  ])('%s', (text, expected) => {
    expect(
      daySpans(text, text.startsWith('between') ? { year: 2023 } : {})
        .map(({ from, to }) => `${from}..${to}`)
        .join(' '),
    ).toBe(expected)
  })

  it('are told from the day of speaking where that is known', () => {
    const from = (text: string) => daySpans(text, { spoken: '2023-05-25' }).map((span) => span.from)
    expect(from('I ran a race last Saturday')).toEqual(['2023-05-20'])
    expect(from('we left two weeks ago, on 11 May')).toEqual(['2023-05-11', '2023-05-11'])
    expect(daySpans('yesterday, on 11 May')).toEqual([])
  })

  it('are kept as days, months or years', () => {
    expect(['7 May 2023', 'May 2023', '2023'].map((text) => wholeDate(daySpans(text)[0]!))).toEqual([
      '2023-05-07',
      '2023-05',
      '2023',
    ])
    expect(wholeDate({ from: '2023-06-02', to: '2023-06-08' })).toBeNull()
    expect([isDayNamed('2023-05', daySpans('May 2023')), isDayNamed('2023-05', daySpans('7 May 2023'))]).toEqual([
      true,
      false,
    ])
  })
})
