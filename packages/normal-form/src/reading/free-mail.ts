// Free-mail domains. A `domain` rule for one of them suppresses everyone with an address there. The server accepts such
// a rule (spec 2.6), but the import shows a warning (1.1).

/**
 * The largest providers. The server's own list has thousands of names and 200 kB, including spam traps and long-dead
 * domains. A warning is for a common mistake, and people make it with these.
 */
// cspell:disable
const names = `
  126.com 163.com aim.com alice.it aol.com att.net bellsouth.net bigpond.com bluewin.ch btinternet.com
  centrum.cz comcast.net cox.net daum.net email.cz fastmail.com foxmail.com free.fr freenet.de gmail.com
  gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.co.uk hotmail.com
  hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com inbox.ru interia.pl laposte.net
  libero.it list.ru live.co.uk live.com live.fr live.nl mac.com mail.com mail.ru mailbox.org me.com msn.com
  naver.com o2.pl onet.pl optonline.net orange.fr outlook.com outlook.de outlook.es outlook.fr pm.me
  posteo.de proton.me protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sapo.pt sbcglobal.net
  seznam.cz sfr.fr shaw.ca sina.com sohu.com t-online.de telenet.be terra.com.br tiscali.it tuta.com
  tutanota.com ukr.net uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl ya.ru yahoo.ca yahoo.co.in
  yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru
  yeah.net ymail.com zoho.com
`
// cspell:enable

const freeMailDomains: ReadonlySet<string> = new Set(names.trim().split(/\s+/))

/** Asking the set about a longer domain would only take time. */
const lengthMax = Math.max(...[...freeMailDomains].map((domain) => domain.length))

/** Whether a normalized rule suppresses the customers of a mail provider. */
export const isFreeMailRule = ({
  type,
  value,
}: {
  readonly type: string
  readonly value: string
}): boolean => type === "domain" && value.length <= lengthMax && freeMailDomains.has(value)

/** The warning, or null for an empty list. */
export const freeMailWarning = (domains: ReadonlyArray<string>): string | null => {
  const { length } = domains
  if (length === 0) return null
  const further = length > NAMED_MAX ? ` and ${length - NAMED_MAX} more` : ""
  const are = length === 1 ? "is a free-mail domain" : "are free-mail domains"
  return `${domains.slice(0, NAMED_MAX).join(", ")}${further} ${are}: everyone with an address there is suppressed.`
}

/** How many domains a warning names. */
const NAMED_MAX = 5
