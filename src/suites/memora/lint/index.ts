export { lintOwn } from './own.js'
export { lintPublished, type MemoraReport } from './published.js'
