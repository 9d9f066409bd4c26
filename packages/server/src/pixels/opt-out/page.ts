// The page of the opt-out (spec 6.6): says what is so now and holds the way to the other choice.
import { plainPage } from "../../http/plain-page.ts"

/** What a browser has chosen. */
export type Choice = "out" | "in"

// Addresses are relative: the page may stand below a path of an embedding application. Taking a choice
// back is a POST, so that no other site can do it with an image or a link.
const texts = {
  out: {
    title: "You are opted out",
    paragraphs: [
      "Websites that use this service can no longer recognize this browser through it. The choice is a cookie that is kept for 13 months; if you delete your cookies, choose again.",
      "It holds for this browser. A browser that blocks cookies of other sites does not send it: there, switch on Global Privacy Control, which is honoured as well.",
    ],
    other: `<form method="post" action="opt-out"><button>Opt in again</button></form>`,
  },
  in: {
    title: "You are opted in",
    paragraphs: [
      "The opt-out cookie is deleted. Websites that use this service may recognize this browser again, as far as their own settings and your consent allow.",
    ],
    other: `<a class="button" href="opt-out">Opt out</a>`,
  },
} as const satisfies Record<Choice, unknown>

export const optOutPage = (choice: Choice): string => {
  const { other, paragraphs, title } = texts[choice]
  return plainPage({
    title,
    body: `${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}\n${other}`,
  })
}
