// The organization a tab works in. This isn't a credential. Each tab keeps its own, so choosing one doesn't affect
// other tabs. A new tab starts with the organization last chosen in this browser.
const key = "footfall.organization"

export const tabOrganization = {
  get: (): string | undefined =>
    sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined,

  keep: (organizationId: string): void => sessionStorage.setItem(key, organizationId),

  /** Also applies to new tabs. */
  choose: (organizationId: string): void => {
    sessionStorage.setItem(key, organizationId)
    localStorage.setItem(key, organizationId)
  },

  /** For this tab. Also for new tabs if they would start in this organization. */
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
