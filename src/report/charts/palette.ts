import type { Outcome } from '../../model/index.js'

/** A colour scheme. Every text colour has a contrast of at least 4.5 against what it stands on; a test holds it to that. */
export interface Palette {
  paper: string
  raised: string
  ink: string
  soft: string
  rule: string
  link: string
  mark: string
  /** Fill of an outcome, the lines of its pattern, and text on it. */
  outcomes: Record<Outcome, { fill: string; line: string; ink: string }>
  /** Lines and names of systems, told apart by marker as well. */
  series: string[]
}

const light = (fill: string, line: string) => ({ fill, line, ink: '#ffffff' })
const dark = (fill: string, line: string) => ({ fill, line, ink: '#14171b' })

export const LIGHT: Palette = {
  paper: '#fcfcfa',
  raised: '#f3f4f1',
  ink: '#1c2127',
  soft: '#586069',
  rule: '#d9dcd8',
  link: '#1d5a9c',
  mark: '#ffe9a3',
  outcomes: {
    not_stored: light('#a63f2c', '#8c3121'),
    summary_error: dark('#eab04a', '#cf942e'),
    not_retrieved: light('#3a6ca6', '#2f5a8d'),
    unavailable: light('#5d6670', '#4a525b'),
    stale_memory: light('#76569b', '#624483'),
    stale_answer: dark('#c3aee0', '#a790c8'),
    reasoning_error: dark('#dc9dbb', '#c37f9f'),
    correct: dark('#9ccabf', '#9ccabf'),
    answerable: dark('#9ccabf', '#9ccabf'),
    error: dark('#b3b9bf', '#8b939b'),
  },
  series: ['#1f69ad', '#b04a0a', '#0b7358', '#86479a', '#735800', '#b52d62', '#4a5563', '#006a7a'],
}

export const DARK: Palette = {
  paper: '#14171b',
  raised: '#1d2126',
  ink: '#e6e8ea',
  soft: '#a0a9b3',
  rule: '#343a41',
  link: '#84b8f2',
  mark: '#5c4a10',
  outcomes: {
    not_stored: dark('#e27d66', '#c96852'),
    summary_error: dark('#e8b552', '#c6943a'),
    not_retrieved: dark('#76a8de', '#5b8bc0'),
    unavailable: dark('#8d98a4', '#7b8793'),
    stale_memory: dark('#b496d9', '#9a7cc0'),
    stale_answer: dark('#d6c6ec', '#b7a3d3'),
    reasoning_error: dark('#e3a7c3', '#c586a4'),
    correct: light('#2e675c', '#2e675c'),
    answerable: light('#2e675c', '#2e675c'),
    error: dark('#98a1aa', '#7d868f'),
  },
  series: ['#72b2ee', '#f0985e', '#53c4a3', '#cb9ade', '#d3b255', '#f086b2', '#b2bbc6', '#62c6d7'],
}
