/** Something that must hold did not hold after a kill. */
export class KillError extends Error {}
