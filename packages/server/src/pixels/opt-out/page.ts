// The opt-out page: the current state, what the browser keeps, and the other choice as a form (spec 6.6).
import type { PlainPage } from "../../http/plain-page.ts"

/** What a browser has chosen, or its form requests. */
export type Choice = "out" | "in"

export interface OptOutState {
  /** The request carries the cookie. */
  readonly isOut: boolean
  /** What the form just requested; undefined if the page was opened directly. */
  readonly asked: Choice | undefined
  /** The browser sends Global Privacy Control, and this server honors it. */
  readonly hasSignal: boolean
}

/** Relative, because the page may be below an embedding application's path. */
const form = (choice: Choice, label: string) =>
  `<form method="post" action="opt-out?choice=${choice}"><button${choice === "out" ? ' class="primary"' : ""}>${label}</button></form>`

const cookie = `<p>Your browser keeps your choice in one cookie, <code>footfall_optout=1</code>, for 13 months. It contains no id. If you delete your cookies, opt out again.</p>`

const limits = `<p>The choice holds for this browser only. Some browsers send no cookies to other websites. There, turn on Global Privacy Control instead, which this service also respects.</p>`

const signal = `<p class="note">This browser sends Global Privacy Control. Websites that use this service count its page views and do not recognize it, whatever you choose here.</p>`

const pages = {
  out: {
    title: "You are opted out",
    body: `<p>Websites that use this service do not recognize this browser: it gets no script from here and sends nothing.</p>
${form("in", "Opt in again")}
<h2>What your browser keeps</h2>
${cookie}
${limits}`,
  },
  notKept: {
    title: "Your browser did not keep the choice",
    body: `<p>This page sent the opt-out cookie and your browser refused it, so you are not opted out. Allow cookies for this address and try again, or turn on Global Privacy Control.</p>
${form("out", "Try again")}`,
  },
  backIn: {
    title: "You are opted in",
    body: `<p>Your browser has deleted the opt-out cookie. Websites that use this service may recognize it again, if their settings and your consent allow it.</p>
${form("out", "Opt out")}`,
  },
  in: {
    title: "Opt this browser out?",
    body: `<p>Websites that use this service may recognize this browser when it returns, if their settings and your consent allow it. Opting out stops that on all of them. Nothing has changed yet.</p>
${form("out", "Opt out")}
<h2>What your browser keeps</h2>
${cookie}
${limits}`,
  },
} as const

const pageOf = ({ asked, isOut }: OptOutState) => {
  if (isOut) return pages.out
  if (asked === "out") return pages.notKept
  return asked === "in" ? pages.backIn : pages.in
}

export const optOutPage = (plainPage: PlainPage, state: OptOutState) => {
  const { body, title } = pageOf(state)
  return plainPage({ title, body: state.hasSignal ? `${signal}\n${body}` : body })
}
