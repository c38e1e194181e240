import hostile from './hostile.mjs'

/** The same, and it answers by itself. */
export default { ...hostile, name: 'answering', answers: true }
