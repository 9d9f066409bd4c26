// The referrer lists that ship with the server: search engines, social networks, webmail and AI assistants. A host
// matches a name if it equals it or ends with `.name`. A search engine with other services on its domain is listed by
// the hosts of its searches, in every country it publishes, so `google.com.evil.example` and `docs.google.com` don't
// match.

export type ReferrerKind = "organic_search" | "organic_social" | "email" | "ai_assistant"

/** The kind of site a host belongs to; undefined if no list has it. */
export const referrerKind = (given: string): ReferrerKind | undefined => {
  const host = given.replace(/^www\./, "")
  return engineHosts.has(host)
    ? "organic_search"
    : order.find(([, names]) => names.some((name) => matches(host, name)))?.[0]
}

const matches = (host: string, name: string): boolean => host === name || host.endsWith(`.${name}`)

const words = (text: string): ReadonlyArray<string> => text.split(/\s+/)

/** Top-level domains of Google Search. Source: https://www.google.com/supported_domains. */
const googleDomains =
  words(`com ad ae com.af com.ag al am co.ao com.ar as at com.au az ba com.bd be bf bg com.bh bi bj com.bn
com.bo com.br bs bt co.bw by com.bz ca cd cf cg ch ci co.ck cl cm cn com.co co.cr com.cu cv com.cy
cz de dj dk dm com.do dz com.ec ee com.eg es com.et fi com.fj fm fr ga ge gg com.gh com.gi gl gm gr
com.gt gy com.hk hn hr ht hu co.id ie co.il im co.in iq is it je com.jm jo co.jp co.ke com.kh ki kg
co.kr com.kw kz la com.lb li lk co.ls lt lu lv com.ly co.ma md me mg mk ml com.mm mn com.mt mu mv mw
com.mx com.my co.mz com.na com.ng com.ni ne nl no com.np nr nu co.nz com.om com.pa com.pe com.pg
com.ph com.pk pl pn com.pr ps pt com.py com.qa ro ru rw com.sa com.sb sc se com.sg sh si sk com.sl
sn so sm sr st com.sv td tg co.th com.tj tl tm tn to com.tr tt com.tw co.tz com.ua co.ug co.uk
com.uy co.uz com.vc co.ve co.vi com.vn vu ws rs co.za co.zm co.zw cat`)

/** Top-level domains of Yandex Search. Source: https://yandex.com/support/search. */
const yandexDomains = words(
  `com ru by kz uz ua com.tr eu fr az com.ge com.am co.il lt lv md tj tm ee kg pl`,
)

/** Country domains of Pinterest. */
const pinterestDomains =
  words(`com at ca ch cl co.kr co.uk com.au com.mx de dk es fr ie it jp net nz ph pt ru se co.at com.pe
com.uy ec id in info kr hu be`)

/** Hosts that serve searches or their results, without `www.`; other hosts on these domains do not count. */
const engineHosts: ReadonlySet<string> = new Set([
  ...googleDomains.flatMap((domain) => [
    `google.${domain}`,
    ...["m", "images", "news"].map((name) => `${name}.google.${domain}`),
  ]),
  ...yandexDomains.flatMap((domain) => [`yandex.${domain}`, `m.yandex.${domain}`]),
  "com.google.android.googlequicksearchbox",
  "ya.ru",
])

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
  ...pinterestDomains.map((domain) => `pinterest.${domain}`),
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
  "bing.com",
  "duckduckgo.com",
  "search.yahoo.com",
  "yahoo.co.jp",
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

// Assistants and webmail come first, because several are subdomains of a search engine.
const order: ReadonlyArray<readonly [ReferrerKind, ReadonlyArray<string>]> = [
  ["ai_assistant", assistants],
  ["email", webMail],
  ["organic_social", networks],
  ["organic_search", engines],
]
