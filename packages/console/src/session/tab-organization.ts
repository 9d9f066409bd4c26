// Which organization a tab works in; no credential. Each tab keeps its own, so that to choose one moves no other tab. The
// one that was chosen last in this browser is where a new tab begins.
const key = "footfall.organization"

export const tabOrganization = {
  get: (): string | undefined =>
    sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined,

  keep: (organizationId: string): void => sessionStorage.setItem(key, organizationId),

  /** Also for new tabs. */
  choose: (organizationId: string): void => {
    sessionStorage.setItem(key, organizationId)
    localStorage.setItem(key, organizationId)
  },

  /** In this tab; new tabs begin elsewhere too when they began in this organization. */
  forget: (): void => {
    const organizationId = tabOrganization.get()
    sessionStorage.removeItem(key)
    if (localStorage.getItem(key) === organizationId) localStorage.removeItem(key)
  },

  /** For every user of this browser. */
  forgetAll: (): void => {
    sessionStorage.removeItem(key)
    localStorage.removeItem(key)
  },
}
