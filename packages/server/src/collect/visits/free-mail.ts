// Domains at which people, not companies, have addresses (spec 1.5.6): free-mail providers, relays that hide an address,
// and access providers that give their customers one. The package has most of them. These are the ones that it lacks.
import providers from "email-providers/all.json" with { type: "json" }

// cspell:disable
/** Relays. Several give each user a subdomain. */
const relayNames = `
  8alias.com 8shield.net addy.biz addy.email addy.io addy.one addymail.com aleeas.com anonaddy.com anonaddy.me
  burnermail.io cloaked.id dralias.com duck.com e4ward.com erine.email forwardemail.net fwd.email idcloak.com
  inboxalias.com letterbox.email mailer.me mozmail.com opayq.com passfwd.com passinbox.com passmail.com passmail.net
  privaterelay.appleid.com relay.firefox.com silomails.com simplelogin.co simplelogin.com simplelogin.fr
  simplelogin.io slmail.me slmails.com sneakemail.com
`

/** Mailboxes for private people. */
const mailboxNames = `
  atlas.sk azet.sk bigmir.net citromail.hu cock.li ctemplar.com dir.bg disroot.org dnmx.org fastmail.com firemail.de
  ik.me indamail.hu jubii.dk kakao.com keemail.me mail.bg mail.dk mailfence.com mailo.com meta.ua mynet.com ofir.dk
  onet.eu onmail.com op.pl posteo.de riseup.net skiff.com startmail.com suomi24.fi tlen.pl tuta.com tuta.io tutamail.com
  tutanota.com tutanota.de volny.cz vp.pl youmail.dk zohomail.com zohomail.eu zoznam.sk
`

/** Customers of access providers. */
const accessNames = `
  a1.net airtelmail.com alice-dsl.net altibox.no amis.net aon.at au.com bahnhof.se bbox.fr belgacom.net bezeqint.net
  biglobe.ne.jp bouyguestelecom.fr bredband.net broadpark.no caiway.nl casema.nl cegetel.net chello.at chello.be
  chello.cz chello.fr chello.hu chello.nl chello.no chello.pl chello.se chello.sk clix.pt comhem.se cytanet.com.cy
  dnainternet.net drei.at eastlink.ca elisanet.fi emirates.net.ae eunet.rs euskaltel.net ewetel.net fastwebnet.it
  frisurf.no get2net.dk getmail.no glocalnet.net green.ch hi.is hispeed.ch hol.gr htp-tel.de inet.hr inode.at
  internet.is internet.lu iol.pt kabelbw.de kabsi.at kolumbus.fi liwest.at lyse.net magenta.at mail.telepac.pt
  mediacombb.net meo.pt mnet-mail.de mnet-online.de movistar.es mts.rs mweb.co.za net.hr netcabo.pt netcologne.de
  nextgentel.com nifty.com nos.pt numericable.fr o2mail.de o2online.de ocn.ne.jp ono.com online.nl online.no
  orcon.net.nz osnanet.de otenet.gr pandora.be plala.or.jp plus.com pp.inet.fi proximus.be pt.lu quicknet.nl
  sasktel.net saunalahti.fi sbb.rs scarlet.be simnet.is siol.net slingshot.co.nz so-net.ne.jp starhub.net.sg
  stofanet.dk suddenlink.net sunrise.ch superonline.com swipnet.se swissonline.ch t-2.net tdc.dk tdcadsl.dk tele2.at
  tele2.nl tele2.se telefonica.net telenor.dk telenor.no telia.com telia.se telkomsa.net tim.it ttmail.com turk.net
  unity-mail.de unitybox.de upcmail.at upcmail.cz upcmail.hu upcmail.ie upcmail.nl utanet.at uwclub.net versatel.de
  vip.hr vodafone.co.nz vodafone.de vodafone.es vodafone.it vodafone.net vodafone.pt vodafonemail.de vodamail.co.za
  vsnl.net vtr.net welho.com xs4all.nl zen.co.uk ziggo.nl
`
// cspell:enable

const namesIn = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** A subdomain of one is a relay too. */
export const relayDomains: ReadonlyArray<string> = namesIn(relayNames)

export const freeMailDomains: ReadonlyArray<string> = [
  ...providers,
  ...relayDomains,
  ...namesIn(mailboxNames),
  ...namesIn(accessNames),
]

const freeMail: ReadonlySet<string> = new Set(freeMailDomains)
const relays: ReadonlySet<string> = new Set(relayDomains)

export const isFreeMail = (domain: string): boolean =>
  freeMail.has(domain) || relays.has(domain.slice(domain.indexOf(".") + 1))
