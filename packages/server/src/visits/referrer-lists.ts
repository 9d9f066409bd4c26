// The referrer lists that ship with the server: which hosts are search engines, social networks,
// web mail or AI assistants. A host matches a name when it is that name or ends with `.name`; an entry
// that ends with a dot matches every top-level domain (`google.` is google.com and google.co.uk).

export type ReferrerKind = "organic_search" | "organic_social" | "email" | "ai_assistant"

/** The kind of site a host is known as; undefined when no list names it. */
export const referrerKind = (host: string): ReferrerKind | undefined =>
  order.find(([, names]) => names.some((name) => matches(host, name)))?.[0]

const matches = (host: string, name: string): boolean =>
  name.endsWith(".")
    ? host.startsWith(name) || host.includes(`.${name}`)
    : host === name || host.endsWith(`.${name}`)

const assistants: ReadonlyArray<string> = [
  "chatgpt.com",
  "chat.openai.com",
  "claude.ai",
  "gemini.google.com",
  "bard.google.com",
  "copilot.microsoft.com",
  "copilot.cloud.microsoft",
  "perplexity.ai",
  "chat.mistral.ai",
  "chat.deepseek.com",
  "grok.com",
  "meta.ai",
  "poe.com",
  "you.com",
  "phind.com",
]

const webMail: ReadonlyArray<string> = [
  "mail.google.com",
  "com.google.android.gm",
  "outlook.live.com",
  "outlook.office.com",
  "outlook.office365.com",
  "mail.yahoo.com",
  "mail.yandex.ru",
  "mail.proton.me",
  "mail.zoho.com",
  "mail.aol.com",
  "webmail.",
]

const networks: ReadonlyArray<string> = [
  "facebook.com",
  "fb.com",
  "instagram.com",
  "threads.net",
  "threads.com",
  "linkedin.com",
  "lnkd.in",
  "twitter.com",
  "x.com",
  "t.co",
  "bsky.app",
  "mastodon.social",
  "reddit.com",
  "youtube.com",
  "youtu.be",
  "tiktok.com",
  "pinterest.",
  "snapchat.com",
  "tumblr.com",
  "vk.com",
  "ok.ru",
  "weibo.com",
  "xing.com",
  "quora.com",
  "news.ycombinator.com",
  "discord.com",
  "web.telegram.org",
  "whatsapp.com",
]

const engines: ReadonlyArray<string> = [
  "google.",
  "bing.com",
  "duckduckgo.com",
  "search.yahoo.com",
  "yahoo.co.jp",
  "yandex.",
  "ya.ru",
  "baidu.com",
  "ecosia.org",
  "qwant.com",
  "search.brave.com",
  "startpage.com",
  "kagi.com",
  "naver.com",
  "seznam.cz",
  "sogou.com",
  "so.com",
  "search.aol.com",
  "ask.com",
  "swisscows.com",
  "mojeek.com",
]

// Assistants and web mail come first: several of them live below a search engine's domain.
const order: ReadonlyArray<readonly [ReferrerKind, ReadonlyArray<string>]> = [
  ["ai_assistant", assistants],
  ["email", webMail],
  ["organic_social", networks],
  ["organic_search", engines],
]
