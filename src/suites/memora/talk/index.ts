export { type Diversity, diversity, similarity } from './diversity.js'
export { fieldPart, revisionPart } from './documents.js'
export { type GroundingFinding, grounded } from './grounded.js'
export { conversationsFor, type Said, type SpokenSession, type Talk, talkFor, tellLife } from './talk.js'
