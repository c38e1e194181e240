/** The provider whose models are played by the rehearsals of systems: `rehearsal:demo`. */
const PROVIDER = 'rehearsal:'

/** Whether a model only stands in for one, so that what it leads to is no measurement. */
export function isRehearsed(model: string | null): boolean {
  return model?.startsWith(PROVIDER) ?? false
}
