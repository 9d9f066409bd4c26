// What is said of a pixel in words: its state, and what a verification found and what to do next.

import type { Pixel, PixelVerification, PixelVerificationReason } from "@footfall/sdk"
import { timeAgo } from "./time.ts"

/** `active`, `paused by hand`, `paused: the organization is not active`. */
export const pixelStatusText = ({
  status,
  pausedReason,
}: Pick<Pixel, "status" | "pausedReason">): string => {
  if (pausedReason === null) return status
  return pausedReason === "manual" ? "paused by hand" : "paused: the organization is not active"
}

/** What is so, and what to do about it; null when nothing is to be done. */
export interface Finding {
  readonly message: string
  readonly nextStep: string | null
}

/** A verification in words. */
export const verificationFinding = (
  pixel: Pick<Pixel, "domain">,
  { reason, lastEventAt }: PixelVerification,
  now: Date,
): Finding => {
  if (reason === null) {
    const last = lastEventAt === null ? "" : `; the last event arrived ${timeAgo(lastEventAt, now)}`
    return { message: `The pixel of ${pixel.domain} works${last}.`, nextStep: null }
  }
  return reasons[reason](pixel)
}

const reasons: Record<PixelVerificationReason, (pixel: Pick<Pixel, "domain">) => Finding> = {
  paused: ({ domain }) => ({
    message: `The pixel of ${domain} is paused and records nothing.`,
    nextStep: `Run: footfall pixels update ${domain} --status active`,
  }),
  domain_mismatch: ({ domain }) => ({
    message: `Events arrive, but from other sites than ${domain}.`,
    nextStep: `The tag of this pixel is on another site: move it to ${domain}, or make a pixel for that site.`,
  }),
  script_missing: ({ domain }) => ({
    message: `The tag is not on https://${domain}/, and no event has arrived.`,
    nextStep: `Paste the tag into the page's head. To see it: footfall pixels get ${domain}`,
  }),
  no_events: ({ domain }) => ({
    // So it is too when the page cannot be read from the server.
    message: `No event of ${domain} has arrived yet, and its start page does not say why.`,
    nextStep:
      "Open the page in a browser without an ad blocker. Consent settings or a content security " +
      "policy may hold events back.",
  }),
}
