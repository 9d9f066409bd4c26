// cspell:disable -- names of hosts
// The referrer lists that ship with the server: search engines, social networks, video sites, mail, AI assistants and
// the hosts of ads, with their Android apps. `referrer-kind.ts` says how a host matches. A search engine with other
// services on its domain is listed by the hosts of its searches, in every country it publishes.

export const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

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

/** Hosts that serve searches or their results, without `www.`; other hosts on these domains do not count. */
export const searchHosts: ReadonlyArray<string> = [
  ...googleDomains.flatMap((domain) => [
    `google.${domain}`,
    ...["m", "images", "news"].map((name) => `${name}.google.${domain}`),
  ]),
  ...yandexDomains.flatMap((domain) => [`yandex.${domain}`, `m.yandex.${domain}`]),
  ...words(`ya.ru cn.bing.com search.yahoo.co.jp`),
]

/** Engines whose whole domain is the search. */
export const engines = words(`
  bing.com duckduckgo.com search.yahoo.com yahoo.co.jp baidu.com ecosia.org qwant.com search.brave.com startpage.com
  kagi.com search.naver.com naver.com search.daum.net seznam.cz sogou.com so.com so.360.cn sm.cn search.aol.com
  search.aol.co.uk ask.com swisscows.com mojeek.com metager.org metager.de yep.com presearch.com presearch.org
  searx.be searxng.org gibiru.com lilo.org search.lilo.org oceanhero.today gigablast.com dogpile.com webcrawler.com
  info.com search.gmx.com suche.gmx.net suche.web.de suche.t-online.de search.free.fr lycos.com infospace.com
  excite.com search.marginalia.nu marginalia-search.com coccoc.com go.mail.ru nova.rambler.ru
  search.goo.ne.jp zapmeta.com petalsearch.com search.ch search.bt.com searchlock.com
  com.google.android.googlequicksearchbox com.microsoft.bing com.duckduckgo.mobile.android com.ecosia.android
  com.qwant.liberty com.naver.search`)

export const assistants = words(`
  chatgpt.com chat.openai.com labs.openai.com chat.com claude.ai gemini.google.com bard.google.com
  notebooklm.google.com aistudio.google.com copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft
  edgeservices.bing.com perplexity.ai pplx.ai chat.mistral.ai chat.deepseek.com grok.com x.com/i/grok
  meta.ai poe.com you.com phind.com duck.ai chat.qwen.ai qwen.ai tongyi.aliyun.com kimi.com kimi.ai
  kimi.moonshot.cn doubao.com yiyan.baidu.com ai.baidu.com chatglm.cn chat.z.ai yuanbao.tencent.com iask.ai
  app.jasper.ai app.writesonic.com chatsonic.com komo.ai andisearch.com pi.ai huggingface.co/chat lumo.proton.me
  chatplus.com chat-gpt.org consensus.app felo.ai genspark.ai manus.im liner.com
  com.openai.chatgpt com.anthropic.claude ai.perplexity.app.android com.google.android.apps.bard
  com.microsoft.copilot com.deepseek.chat ai.x.grok ai.mistral.chat com.poe.android com.quora.poe`)

export const mail = words(`
  mail.google.com inbox.google.com outlook.live.com mail.live.com outlook.office.com outlook.office365.com
  outlook.cloud.microsoft owa.outlook.com safelinks.protection.outlook.com mail.yahoo.com mail.yahoo.net
  mail.yahoo.co.uk mail.yahoo.co.jp mail.aol.com mail.proton.me mail.protonmail.com mail.zoho.com mail.zoho.eu
  mail.zoho.in app.fastmail.com fastmail.com app.tuta.com mail.tutanota.com app.hey.com mail.superhuman.com
  icloud.com/mail mail.infomaniak.com mail.mailbox.org posteo.de mail.mail.com lightmailer.mail.com deref-mail.com
  3c-lxa.mail.com deref-gmx.net deref-gmx.de deref-gmx.com deref-gmx.at deref-gmx.ch deref-gmx.fr
  deref-gmx.es deref-gmx.it deref-gmx.co.uk lightmailer.gmx.net lightmailer-bs.gmx.net deref-web.de
  3c.web.de 3c-bs.web.de lightmailer-bs.web.de deref-1und1-02.de email.ionos.de email.ionos.com email.ionos.fr
  email.ionos.es email.ionos.co.uk mailbusiness.ionos.de mailbusiness.ionos.com email.t-online.de mail.freenet.de
  webmail.freenet.de webmail.strato.de mail.yandex.ru mail.yandex.com mail.yandex.kz mail.yandex.by mail.yandex.ua
  e.mail.ru touch.mail.ru mail.rambler.ru mail.ukr.net mail.qip.ru email.seznam.cz email.cz poczta.wp.pl
  poczta.onet.pl poczta.o2.pl poczta.interia.pl mail.qq.com exmail.qq.com mail.163.com mail.126.com mail.sina.com.cn
  mail.naver.com mail.daum.net mail.nate.com mail.orange.fr messagerie.orange.fr webmail.orange.fr zimbra.free.fr
  webmail.sfr.fr mail.laposte.net webmail.telenet.be webmail.ziggo.nl webmail.kpnmail.nl mail.libero.it
  mail.virgilio.it webmail.tim.it mail.tiscali.it webmail.bigpond.com email.telstra.com webmail.optusnet.com.au
  webmail.iinet.net.au mail.iinet.net.au webmail.xtra.co.nz email.bluewin.ch mail.sunrise.ch mail.rediff.com
  mail.uol.com.br email.uol.com.br mail.terra.com.br mail.bol.com.br connect.xfinity.com currently.att.yahoo.com
  webmail.spectrum.net webmail.cox.net webmail.earthlink.net mail.mynet.com mailchi.mp campaign-archive.com
  urldefense.com urldefense.proofpoint.com mimecastprotect.com protect.mimecast.com mimecast.com
  linkprotect.cudasvc.com secure-web.cisco.com clicktime.symantec.com
  com.google.android.gm com.google.android.gm.lite com.microsoft.office.outlook com.yahoo.mobile.client.android.mail
  com.aol.mobile.aolapp ch.protonmail.android com.fsck.k9 net.thunderbird.android com.samsung.android.email.provider
  de.gmx.mobile.android.mail de.web.mobile.android.mail ru.mail.mailapp ru.yandex.mail com.readdle.spark
  com.fastmail.app com.zoho.mail com.easilydo.mail me.bluemail.mail de.tutao.tutanota com.basecamp.hey`)

export const networks = words(`
  facebook.com fb.com fb.me fb.watch messenger.com workplace.com instagram.com threads.net threads.com linkedin.com
  lnkd.in licdn.com twitter.com x.com t.co bsky.app go.bsky.app skyfeed.app reddit.com redd.it out.reddit.com
  tiktok.com douyin.com snapchat.com tumblr.com umblr.com vk.com vkontakte.ru ok.ru odnoklassniki.ru my.mail.ru
  weibo.com weibo.cn t.cn qzone.qq.com mp.weixin.qq.com weixin.qq.com wechat.com douban.com zhihu.com xiaohongshu.com
  renren.com v2ex.com xing.com viadeo.com quora.com news.ycombinator.com lobste.rs tildes.net discord.com discord.gg
  discordapp.com telegram.org web.telegram.org telegram.me t.me whatsapp.com wa.me line.me mixi.jp hatena.ne.jp
  b.hatena.ne.jp kakao.com story.kakao.com band.us cyworld.com nextdoor.com meetup.com flickr.com deviantart.com
  livejournal.com myspace.com taringa.net nk.pl wykop.pl gab.com truthsocial.com gettr.com minds.com mewe.com parler.com
  stackoverflow.com disqus.com producthunt.com goodreads.com behance.net dribbble.com diaspora.social lemmy.world
  lemmy.ml kbin.social pixelfed.social pixelfed.de mastodon.social mastodon.online mastodon.world mastodon.cloud
  mastodon.art mastodon.nz mastodon.scot mastodon.green mastodonapp.uk mstdn.social mstdn.party mstdn.io mstdn.jp
  mas.to masto.ai pawoo.net mamot.fr chaos.social hachyderm.io fosstodon.org infosec.exchange social.tchncs.de
  social.vivaldi.net techhub.social indieweb.social sfba.social newsie.social universeodon.com toot.community
  ohai.social c.im norden.social troet.cafe det.social
  com.facebook.katana com.facebook.lite com.facebook.orca com.instagram.android com.instagram.barcelona
  com.linkedin.android com.twitter.android com.reddit.frontpage com.pinterest com.snapchat.android
  com.zhiliaoapp.musically com.ss.android.ugc.trill org.telegram.messenger org.telegram.messenger.web
  org.thunderdog.challegram com.whatsapp com.whatsapp.w4b com.discord com.tumblr com.quora.android
  com.vkontakte.android ru.ok.android com.xing.android com.nextdoor org.joinmastodon.android xyz.blueskyweb.app
  com.sina.weibo com.tencent.mm com.viber.voip jp.naver.line.android com.kakao.talk io.github.hidroh.materialistic`).concat(
  words(`com at ca ch cl co.kr co.uk com.au com.mx de dk es fr ie it jp net nz ph pt ru se co.at com.pe com.uy ec id in
    info kr hu be`).map((domain) => `pinterest.${domain}`),
)

export const videoSites = words(`
  youtube.com youtu.be youtube-nocookie.com vimeo.com dailymotion.com dai.ly twitch.tv bilibili.com b23.tv nicovideo.jp
  youku.com iqiyi.com rutube.ru rumble.com odysee.com bitchute.com wistia.com loom.com
  kick.com com.google.android.youtube com.vimeo.android.videoapp tv.twitch.android.app tv.danmaku.bili`)

export const adHosts = words(`
  googlesyndication.com googleadservices.com doubleclick.net adsense.com taboola.com outbrain.com criteo.com
  adnxs.com amazon-adsystem.com adform.net`)

export const searchAdHosts = words(`syndicatedsearch.goog`)
