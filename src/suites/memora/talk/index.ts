export { fieldPart, revisionPart } from './documents.js'
export { grounded } from './grounded.js'
export { conversationsFor, type SpokenSession, talkFor, tellLife } from './talk.js'
