// How /docs shows the contract. Nothing is loaded from another host and nothing leads to one, as far as Scalar
// can be told: no fonts of its maker, no hosted client, no bar of tools that publishes the document.
import { icon } from "./plain-page.ts"

/** Scalar's configuration goes to the page as it is; Effect's type for it names only a part. */
export const docsPage = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: "apiKey" },
  favicon: icon,
}
