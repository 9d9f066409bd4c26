// cspell:disable -- names of hosts
// Hosts that are sent as referrers to advertise them; no visitor comes from there. Source: Matomo's referrer spam list
// (https://github.com/matomo-org/referrer-spam-list), public domain.

export const spammers: ReadonlyArray<string> =
  `0-0.fr 007agent-i.fr 01casino-x.ru 033nachtvandeliteratuur.nl 03e.info 03p.info 0n-line.tv 1-88.vip 1-99seo.com
1-best-seo.com 1-free-share-buttons.com 100-reasons-for-seo.com 100dollars-seo.com 12-reasons-for-seo.net
12masterov.com 12u.info 15-reasons-for-seo.com 16lv.com 1kreditzaim.ru 1pamm.ru 1st-urist.ru 1webmaster.ml 1wek.top
1winru.ru 1x-slot.site 1x-slots.site 1xbet-entry.ru 1xbetcc.com 1xbetonlines1.ru 1xbetportugal.com 1xbetts.ru
1xslot-casino.online 1xslot-casino.ru 1xslot-casino.site 1xslot.site 1xslots-africa.site 1xslots-brasil.site
1xslots-casino.site 1xslots.africa 1xslots.site 2-best-seo.com 2-easy.xyz 2-go-now.xyz 24h.doctor
24x7-server-support.site 2your.site 3-best-seo.com 3-letter-domains.net 3dgame3d.com 3waynetworks.com 4-best-seo.com
40momporntube.com 4inn.ru 4ip.su 4istoshop.com 4webmasters.org 4xcasino.ru 5-best-seo.com
5-steps-to-start-business.com 5elementov.ru 5forex.ru 6-best-seo.com 69-13-59.ru 6hopping.com 7-best-seo.com
70casino.online 7kop.ru 7makemoneyonline.com 7milliondollars.com 7ooo.ru 7zap.com 8-best-seo.com 84lv.com 8xv8.com
9-best-seo.com 99-reasons-for-seo.com a-elita.in.ua abacoasale.xyz abaiak.com abcdefh.xyz abcdeg.xyz abclauncher.com
abuser.shop acads.net acarreo.ru account-my1.xyz accs-store.ru actualremont.ru acunetix-referrer.com adanih.com
adcash.com adelachrist.top adf.ly adpostmalta.com adrenalinebot.net adrenalinebot.ru adspart.com adtiger.tk
adult-video-chat.ru adventureparkcostarica.com advertisefree.co.uk adviceforum.info advokateg.xyz aerodizain.com
aerotour.ru affiliate-programs.biz affordablewebsitesandmobileapps.com afora.ru afshan.shop agro-gid.com agtl.com.ua
ahecmarket.xyz ahhjf.com ai-seo-services.com aibolita.com aidarmebel.kz aimeesblog.xyz aimiot.net aio.online
aitiman.ae akmussale.xyz akuhni.by albuteroli.com alcobutik24.com alertomall.xyz alexsander.ch alfabot.xyz
alguiblog.online alibestsale.com aliexsale.ru alinabaniecka.pl aliviahome.online alkanfarma.org all-news.kz
all4bath.ru allcryptonews.com allergick.com allergija.com allfan.ru allknow.info allmarketsnewdayli.gdn allnews.md
allnews24.in allproblog.com allvacancy.ru allwomen.info allwrighter.ru alma-mramor.com.ua alp-rk.ru alphaopt24.ru
alpharma.net altermix.ua amatocanizalez.net amazon-seo-service.com amos-kids.ru amp-project.pro amt-k.ru
amtel-vredestein.com amylynnandrews.xyz anabolics.shop analytics-ads.xyz ananumous.ru anapa-inns.ru
andrewancheta.com android-style.com animalphotos.xyz animenime.ru annaeydlish.top anrtmall.xyz anti-crisis-seo.com
anticrawler.org antiguabarbuda.ru antonovich-design.com.ua antonyhome.com anydesk.site anyiyun.net aoul.top
apilian.xyz apollon-market-url.org applepharma.ru apteka-doc.ru apteka-pharm.ru apteka.info arabic-poetry.com
arcarticle.online arendadogovor.ru arendakvartir.kz arendovalka.xyz argo-visa.ru arkansale.xyz arkkivoltti.net
armetsrcu.asia arpe.top artblog.top artclipart.ru artdeko.info artpaint-market.ru artparquet.ru artpress.top
artsmarket.xyz arturs.moscow aruplighting.com ascotgoods.xyz ask-yug.com astimvnc.online asupro.com asynt.net
aszokshop.xyz atleticpharm.org atoblog.online atyks.ru aucoinhomes.com auto-b2b-seo-service.com auto-complex.by
auto-kia-fulldrive.ru auto-seo-service.org autoblog.org.ua autofuct.ru automobile-spec.com autoseo-service.org
autoseo-traffic.com autoseotips.com autoservic.by autovideobroadcast.com avcoast.com aviaseller.su aviva-limoux.com
avkzarabotok.info avtointeres.ru avtorskoe-vino.ru avtovykup.kz aworlds.com axcus.top ayongoods.xyz azartclub.org
azbukafree.com azlex.uz baciakte.online backlinks-fast-top.com bahisgunceladresi.com baixar-musicas-gratis.com
baladur.ru balakhna.online balayazh.com balitouroffice.com balkanfarma.org bankhummer.co barbarahome.top
bard-real.com.ua batietiket.com batut-fun.ru bavariagid.de bavsac.com bdf-tracker.top beachtoday.ru
beauty-lesson.com beclean-nn.ru bedroomlighting.us belreferatov.net beremenyashka.com berglion.com berkinan.xyz
best-deal-hdd.pro best-mam.ru best-ping-service-usa.blue best-printmsk.ru best-seo-offer.com best-seo-software.xyz
best-seo-solution.com bestbookclub.ru bestfortraders.com besthatcheries.com bestmobilityscooterstoday.com
bestofferhddbyt.info bestofferhddeed.info bestvpnrating.com bestwebsitesawards.com bet-winner1.ru bet2much.ru
betslive.ru betterhealthbeauty.com bettorschool.ru bez-zabora.ru bezprostatita.com bhf.vc bibprsale.xyz bif-ru.info
biglistofwebsites.com billiard-classic.com.ua billyblog.online bin-brokers.com binokna.ru bio-market.kz
biplanecentre.ru bird1.ru bitcoin-ua.top biteg.xyz bitniex.com biz-law.ru bizru.info bki24.info black-friday.ga
black-tip.top blackhatworth.com blancablog.online blockchaintop.nl blog.xsk.in blog100.org blog2019.top blog2019.xyz
blog4u.top blogking.top bloglag.com blognet.top blogorganictraffic.shop blogseo.xyz blogstar.fun blogtotal.de
blogtraffic.shop blogua.org blue-square.biz bluerobot.info bmusshop.xyz bo-vtb24.ru boltalko.xyz boltushkiclub.ru
bonkers.name bonniesblog.online bonus-betting.ru bonus-spasibo-sberbank.ru bonus-vtb.ru books-top.com boost24.biz
boostmyppc.com bostonline.xyz bot-traffic.icu bot-traffic.xyz botamycos.fr bottraffic.live bottraffic143.xyz
bottraffic329.xyz bottraffic4free.club bottraffic4free.host bottraffic999.xyz bowigosale.xyz bpro1.top
bradleylive.xyz brakehawk.com brandnewtube.com brateg.xyz brauni.com.ua bravica.biz bravica.com bravica.me
bravica.net bravica.news bravica.online bravica.pro bravica.ru bravica.su break-the-chains.com briankatrine.top
brickmaster.pro brillianty.info britneyblog.online brk-rti.ru brooklynsays.com brothers-smaller.ru brusilov.ru
bsell.ru btcnix.com btt-club.pro budilneg.xyz budmavtomatika.com.ua bufetout.ru buhproffi.ru buildnw.ru
buildwithwendy.com buketeg.xyz bukleteg.xyz bulgaria-web-developers.com bur-rk.ru burger-imperia.com burn-fat.ga
business-online-sberbank.ru buttons-for-website.com buttons-for-your-website.com buy-cheap-online.info
buy-cheap-pills-order-online.com buy-forum.ru buy-meds24.com buynorxx.com buypillsonline24h.com buypuppies.ca
c2bit.hk call-of-duty.info cancerfungus.com candida-society.org.uk cannazon-market.org carder.me carder.tv
carders.ug cardiosport.com.ua cardsdumps.com carezi.com carivka.com.ua carscrim.com cartechnic.ru cashforum.cc
casino-top3.fun casino-top3.online casino-top3.ru casino-top3.site casino-top3.space casino-top3.website
casino-v.site casino-vulkane.com casino-x-now.ru casino-x.host casinosbewertung.de casinox-jp.com catherinemill.xyz
catterybengal.com cattyhealth.com cauxmall.xyz cazino-v.online cazino-v.ru ccfullzshop.com celestepage.xyz
cenokos.ru cenoval.ru certifywebsite.win cezartabac.ro chainii.ru chatmall.xyz chatrazvrat.ru chatroulette.life
chcu.net cheap-trusted-backlinks.com cheapkeys.ovh cheappills24h.com chinese-amezon.com chip35.ru chipmp3.ru
chizhik-2.ru chomexun.com ci.ua ciarustde.online cilolamall.xyz cityadspix.com citybur.ru cityreys.ru
civilwartheater.com cleandom.in.ua clicksor.com climate.by clothing-deal.club club-lukojl.ru cmrrsale.xyz
cmseshop.xyz coderstate.com codysbbq.com coeus-solutions.de coffeemashiny.ru coinswitch.cash coleso.md
collectinviolity.com columb.net.ua commentag.com commerage.ru comp-pomosch.ru compliance-alex.xyz
compliance-alexa.xyz compliance-andrew.xyz compliance-barak.xyz compliance-brian.xyz compliance-don.xyz
compliance-donald.xyz compliance-elena.xyz compliance-fred.xyz compliance-george.xyz compliance-irvin.xyz
compliance-ivan.xyz compliance-john.top compliance-julianna.top computer-remont.ru comuneshop.xyz conciergegroup.org
concretepol.com connectikastudio.com considerin.net constanceonline.top cookie-law-enforcement-aa.xyz
cookie-law-enforcement-bb.xyz cookie-law-enforcement-cc.xyz cookie-law-enforcement-dd.xyz
cookie-law-enforcement-ee.xyz cookie-law-enforcement-ff.xyz cookie-law-enforcement-gg.xyz
cookie-law-enforcement-hh.xyz cookie-law-enforcement-ii.xyz cookie-law-enforcement-jj.xyz
cookie-law-enforcement-kk.xyz cookie-law-enforcement-ll.xyz cookie-law-enforcement-mm.xyz
cookie-law-enforcement-nn.xyz cookie-law-enforcement-oo.xyz cookie-law-enforcement-pp.xyz
cookie-law-enforcement-qq.xyz cookie-law-enforcement-rr.xyz cookie-law-enforcement-ss.xyz
cookie-law-enforcement-tt.xyz cookie-law-enforcement-uu.xyz cookie-law-enforcement-vv.xyz
cookie-law-enforcement-ww.xyz cookie-law-enforcement-xx.xyz cookie-law-enforcement-yy.xyz
cookie-law-enforcement-zz.xyz cool-mining.com copyrightclaims.org copyrightinstitute.org coral-info.com
cosmediqueresults.com covadhosting.biz covblog.top coverage-my.com covid-schutzmasken.de cp24.com.ua cpnbshop.xyz
crazy-mining.org credit-card-tinkoff.ru credit-cards-online24.ru credit.co.ua crypto-bear.com crypto-bears.com
crypto-mining.club crypto-wallets.org crypto1x1.com curenaturalicancro.com curenaturalicancro.nl customsua.com.ua
cvta.xyz cyber-monday.ga czcedu.com dacha-svoimi-rukami.com dailyblog.xyz dailyrank.net dailyseo.xyz dailystorm.ru
damianis.ru danhale.xyz darcysassoon.top darknet-hydra-onion.biz darknet.sb darknetsitesguide.com darleneblog.online
darodar.com dav.kz davilaonline.shop dawlenie.com dbutton.net dcdcapital.com deart-13.ru deirdre.top
delfin-aqua.com.ua delo.fund deluxewatch.su demenageur.com dengi-v-kredit.in.ua denisecarey.top deniseconnie.top
dent-home.ru dentuled.net dermatovenerologiya.com deryie.com descargar-musica-gratis.net detailedvideos.com
detoolzon.xyz detskie-konstruktory.ru deutsche-poesie.com dev-seo.blog devochki-video.ru dezeypmall.xyz
dgdsoutlet.xyz diatelier.ru dicru.info dienai.ru dienmaytot.xyz diplomas-ru.com dipstar.org discounttaxi.kz
distonija.com divan-dekor.com.ua dividendo.ru djekxa.ru djonwatch.ru dktr.ru dldsshop.xyz dna-sklad.ru dnmetall.ru
docs4all.com docsarchive.net docsportal.net doctmalls.xyz doctornadezhda.ru documentbase.net documentserver.net
documentsite.net dodge-forum.eu doggyhealthy.com dogovorpodryada.ru dogsrun.net dojki-devki.ru dojki-hd.com
dom-international.ru domain-tracker.com domashniy-hotel.ru domashniy-recepti.ru dominateforex.ml domination.ml
dommdom.com domovozik.ru dompechey.by domsadiogorod.ru doreenblog.online doska-vsem.ru dostavka-v-krym.com
dosugrostov.site doxyporno.com doxysexy.com draniki.org dreamland-bg.com dreams-works.net drev.biz drugs-no-rx.info
drugstoreforyou.com drupa.com dspautomations.com duitbux.info dumpsccshop.com dvk-stroi.ru dvr.biz.ua
dzinerstudio.com e-buyeasy.com e-commerce-seo.com e-commerce-seo1.com e-stroymart.kz eaptekaplus.ru
earn-from-articles.com earnian-money.info easycommerce.cf eavuinsr.online ecblog.xyz ecommerce-seo.org ecomp3.ru
econom.co edakgfvwql.ru edmed-sonline.com ednetstore.xyz eduardoluis.com educhess.ru edudocs.net eduinfosite.com
eduserver.net eecz.org eets.net ege-essay.ru ege-krasnoyarsk.ru egovaleo.it ek-invest.ru ekatalog.xyz ekbspravka.ru
eko-gazon.ru ekoproekt-kr.ru ekto.ee elainasblog.xyz eldoradorent.az electric-blue-industries.com
elegante-vitrage.ru elektrikovich.ru elementspluss.ru elenatkachenko.com.ua elentur.com.ua elizabethbruno.top
ellemarket.com elmifarhangi.com elvel.com.ua emctestlab.ru emerson-rus.ru emicef.com empire-market.org
empire-market.xyz empiremarket-link.org empiremarketlink24.com empirestuff.org encmbtia.online energomash.net
energysexy.com englishtopic.ru enter-unicredit.ru envistore.xyz epcpolo.com epicdiving.com eraglass.com erias.xyz
eric-artem.com ericshome.store erinhome.xyz ero-video-chat.org erofus.online eropho.com eropho.net erot.co
erotag.com eroticheskij-video-chat.ru es-pfrf.ru escort-russian.com eskei83.com esoterikforum.at essaytags.com
estdj.com este-line.com.ua etairikavideo.gr etehnika.com.ua etotupo.ru ets-2-mod.ru etsfshop.xyz
eu-cookie-law-enforcement2.xyz eurocredit.xyz euromasterclass.ru europages.com.ru eurosamodelki.ru
event-tracking.com eventiyahall.ru evreuxshop.xyz exclusive-profit.com exdocsfiles.com execedmall.xyz
exotic-video-chat.ru expediacustomerservicenumber.online expert-find.ru express-vyvoz.ru eyes-on-you.ga f1nder.org
fainaidea.com faithe.top falco3d.com falcoware.com fanoboi.com fartunabest.ru fashiong.ru fast-wordpress-start.com
fastgg.net fatrizscae.online favoritki-msk.ru fazika.ru fbdownloader.com feiacmr.shop feminist.org.ua fidalsa.de
fierrohack.ru figensahin.com filesclub.net filesdatabase.net films2018.com filter-ot-zheleza.ru
financial-simulation.com finansov.info finder.cool findercarphotos.com fineblog.top firmgeo.xyz firstblog.top
fit-discount.ru fitodar.com.ua fiuagts.online fix-website-errors.com flexderek.com floating-share-buttons.com
flowertherapy.ru flyblog.xyz foojo.net for-marketersy.info for-your.website forex-procto.ru forsex.info
fortwosmartcar.pw forum69.info foxweber.com fpclub.ru francaise-poesie.com frankofficial.ru frauplus.ru
free-fb-traffic.com free-fbook-traffic.com free-floating-buttons.com free-games-download.falcoware.com
free-share-buttons.com free-social-buttons.com free-social-buttons.xyz free-social-buttons7.xyz free-traffic.xyz
free-video-chat.ru free-video-tool.com free-website-traffic.com freenode.info freewhatsappload.com freewlan.info
freshnails.com.ua fsalas.com fsin-pokypka.ru fullzdumps.cc furniturehomewares.com fvetgoods.xyz galblog.top
gamblingpp.ru game300.ru gammatraffic.com gandikapper.ru gaokr.xyz garantprava.com gasvleningrade.ru gatwick.ru
gays-video-chat.ru gazel-72.ru gbh-invest.ru gcmx.net gearcraft.us gearsadspromo.club geliyballon.ru gelstate.ru
generalporn.org geniusfood.co.uk georgeblog.online gepatit-info.top germes-trans.com get-clickize.info
get-free-social-traffic.com get-free-traffic-now.com get-more-freeer-visitors.info get-more-freeish-visitors.info
get-seo-help.com get-your-social-buttons.info getaadsincome.info getadsincomely.info getbottraffic4free.xyz
getfy-click.info getlamborghini.ga getpy-click.info getrichquick.ml getrichquickly.info gevciamst.online
gezlev.com.ua ghazel.ru ghostvisitor.com gidonline.one gidro-partner.ru giftbig.ru girlporn.ru gk-casino.fun
gk-casino.online gk-casino.ru gk-casino.site gk-casino.space gk-casino.website gkvector.ru glavprofit.ru glktfw.net
global-smm.ru gobongo.info golden-praga.ru goldvaultmetals.com golyedevushki.com good-potolok.ru goodbyecellulite.ru
goodcoffeepremium.com goodhumor24.com goodprotein.ru google-liar.ru googlemare.com googlsucks.com gorgaz.info
goyua.xyz graceonline.shop grafaman.ru greatblog.top greentechsy.com groshi-kredut.com.ua growth-hackingan.info
growth-hackingor.info growth-hackingy.info gruzchiki24.ru gttpsale.xyz guardlink.org guidetopetersburg.com gxcb.net
hagirkblog.space halat.xyz halefa.com hamyshop.xyz handicapvantoday.com hankspring.xyz happysong.ru hard-porn.mobi
hardosale.xyz harpro.net havepussy.com hawaiisurf.com hd1080film.ru hdhc.site hdmoviecamera.net hdmoviecams.com
hdsmartvideoreg.ru headpharmacy.com healbio.ru healgastro.com healthhacks.ru heeha.net hentai-manga.porn heroero.com
heutc.com hexometer.com hilaryblog.top himandmall.xyz hit-kino.ru hitree.shop hiwpro.xyz hkjrsale.xyz
holiday-shop.ru holistickenko.com holodkovich.com homeafrikalike.tk homemypicture.tk hongfanji.com hostiman.ru
hosting-tracker.com hotblognetwork.com hottour.com housedesigning.ru housediz.com housemilan.ru howopen.ru
howtostopreferralspam.eu hoztorg-opt.ru hrtonline.xyz hseipaa.kz hsoutdoor.com hugblog.xyz hulfingtonpost.com
humanorightswatch.org hundejo.com huntdown.info hvd-store.com hydra-2019.ru hydra-2020.online hydra-2020.ru
hydra-centr.fun hydra-dealer.com hydra-guide.org hydra-new.online hydra-onion-faq.com hydra-pc.com hydra-shop.org
hydra-site.ru hydra-slon.net hydra-vhod2020.com hydra-zerkalo20.com hydra.online hydra1717.com hydra2.market
hydra2020.top hydra2020gate.com hydra2020market.com hydra2020onion.com hydra2020ru.com hydra2020zerkala.com
hydra2020zerkalo.com hydra20onion.com hydra20online.com hydra20original.com hydra2use.com hydra2zahod.com
hydraena.com hydrahow.com hydrahudra.com hydraland.net hydramarket2020.com hydramirror2020.com hydranten.net
hydraonion2019.net hydrarusmarket.com hydraruz-2020.com hydraruzonion2020.com hydraruzonionx.ru
hydraruzxpnew4af.com.co hydraruzxpnew4af.ink hydraruzxpnew4aff.ru hydraruzxpwnew4afonion.com hydraulicoilcooler.net
hydrauliczny.com hydravizoficial.info hydrazerkalo2019.net hydrazerkalo2020.com hyip-zanoza.me i-spare.ru
ialgramer.shop ib-homecredit.ru ib-rencredit.ru iblogpress.xyz iceton.net ico.re ideayz.com ieamblog.online
ieeeoutlet.xyz ierblog.xyz igadgetsworld.com igamingtop.com igru-xbox.net ilikevitaly.com iloveitaly.ro
iloveitaly.ru ilovevitaly.co ilovevitaly.com ilovevitaly.info ilovevitaly.org ilovevitaly.ru ilovevitaly.xyz
iminent.com immigrational.info immobilieralgerie.net imperiafilm.ru impotentik.com in-mostbet.ru in-sto.ru
incanto.in.ua incitystroy.ru incomekey.net incoonline.xyz increasewwwtraffic.info inet-shop.su infektsii.com
infodocsportal.com infogame.name inform-ua.info ingramreed.xyz inmoll.com insider.pro installspartners.com
instasexyblog.com insultu-net.ru interferencer.ru intex-air.ru intimchats.ru investpamm.ru iridsale.xyz iskalko.ru
iskussnica.ru isotoner.com ispaniya-costa-blanca.ru it-max.com.ua it-worlds.com iuyun.net iyfsearch.com izamorfix.ru
izhevskjob.xyz izhstrelok.ru izi24.ru jabug.xyz jacblog.xyz jackonline.store janemill.xyz jariblog.online
jav-fetish.com jav-fetish.site jav-idol.com javcoast.com javlibrary.cc jeffbullas.xyz jikem.com jintub.com
jjbabskoe.ru job-opros.ru job-prosto.ru jobgirl24.ru jobius.com.ua johnnyhaley.top josephineblog.top joyceblog.top
joycee.xyz judyandsimon.com jumkite.com justkillingti.me justprofit.xyz jweber.ru jyrxd.com
kabbalah-red-bracelets.com kabinet-5ka.ru kabinet-alfaclick.ru kabinet-binbank.ru kabinet-card-5ka.ru
kabinet-click-alfabank.ru kabinet-esia-gosuslugi.ru kabinet-faberlic.ru kabinet-gosuslugi.ru
kabinet-ipoteka-domclick.ru kabinet-karta-5ka.ru kabinet-lk-megafon.ru kabinet-lk-rt.ru kabinet-login-mts.ru
kabinet-mil.ru kabinet-mos.ru kabinet-my-beeline.ru kabinet-my-pochtabank.ru kabinet-nalog.ru kabinet-online-bm.ru
kabinet-online-open.ru kabinet-online-rsb.ru kabinet-online-rshb.ru kabinet-online-sberbank.ru
kabinet-online-sovcombank.ru kabinet-online-vtb.ru kabinet-pfr.ru kabinet-pfrf.ru kabinet-platon.ru kabinet-qiwi.ru
kabinet-tele2.ru kabinet-tinkoff.ru kabinet-tricolor.ru kabinet-ttk.ru kabinet-vtb24.ru kaegtcr.online kaircm.shop
kakablog.net kakadu-interior.com.ua kakworldoftanks.ru kambasoft.com kamin-sam.ru kanakox.com karapuz.org.ua
katrd.xyz kazka.ru kazlenta.kz kazrent.com kellyonline.xyz kendrablog.online kenyagoods.xyz kerch.site kevblog.top
kevinsnow.online kexihao.xyz keywords-monitoring-success.com keywords-monitoring-your-success.com kharkov.ua
kierowca-praca.pl kimblog.top kinnarimasajes.com kino-fun.ru kino-key.info kino2018.cc kinobum.org kinopolet.net
kinosed.net kinostar.online kiyany-za-spravedluvist.com.ua klfd.net knigonosha.net kolcasale.xyz kollekcioner.ru
komp-pomosch.ru komputers-best.ru komukc.com.ua konkursov.net kosunnyclub.com kozhakoshek.com kozhasobak.com
kozhniebolezni.com kpcconline.xyz krasivoe-hd.net krasnodar-avtolombard.ru krasota-zdorovie.pw krasota.ru
kredutu.com.ua kredytbank.com.ua kruiz-sochi.ru krumble-adsde.info krumble-adsen.info krumbleent-ads.info
kursy-ege.ru l2soft.eu labguamec.online lafppshop.xyz laitrcus.online lakiikraski.ru lalalove.ru lambreshop.xyz
laminat.com.ua landliver.org landoftracking.com laptop-4-less.com law-check-two.xyz law-enforcement-bot-ff.xyz
law-enforcement-check-three.xyz law-enforcement-ee.xyz law-six.xyz lawrenceblog.online laxdrills.com lcecshop.xyz
lcgrm.com leboard.ru lebowmall.xyz ledalfa.by leddjc.net ledx.by leeboyrussia.com legalrc.biz leon-official.site
lerporn.info leto-dacha.ru lider82.ru lifespeaker.ru ligastavok-in.ru lighthearteds.shop lindsayblog.online
lipidofobia.com.br littleberry.ru live-xbet.com livefixer.com livejournal.top livia-pache.ru
livingroomdecoratingideas.website livingsimply.com lk-gosuslugi.ru lk-lk-rt.ru local-seo-for-multiple-locations.com
login-tinkoff.ru logo-all.ru lolz.guru lolzteam.online lolzteam.org lookover.ru lotoflotto.ru loveorganic.ch
lowpricesiterx.com lsex.xyz lsitenonrepeat.com luckybull.io lucxspace.com lukoilcard.ru lumb.co luton-invest.ru
luxup.ru luxurybet.ru lyckants.online madisonclothingny.com madjonline.xyz magicart.store magicdiet.gq
magnetic-bracelets.ru maigralr.site mainhunter.com makemoneyonline.com makeprogress.ga makler.org.ua malbgoods.xyz
maltadailypost.com mamidushop.xyz mamylik.ru manimpotence.com manonstore.xyz manwang.net maofengjx.com
marathonbet-in.ru marblestyle.ru maridan.com.ua marihome.online marjorieblog.online marketland.ml martinahome.xyz
masterseek.com mathoutlet.xyz matomete.net matras.space mattgibson.us max-apprais.com maxinesamson.top maxxximoda.ru
mebel-arts.com mebel-ekb.com mebel-iz-dereva.kiev.ua mebelcomplekt.ru mebeldekor.com.ua meblieco.com
med-dopomoga.com med-recept.ru med-zdorovie.com.ua medbrowse.info medcor-list.ru medic-al.ru medicaltranslate.ru
medicineseasybuy.com meds-online24.com meduza-consult.ru megalit-d.ru megapolis-96.ru megatkani.ru melbet-in.ru
melissahome.top mercanmall.xyz meriton.ru meroyharte.top metallo-konstruktsii.ru metallosajding.ru meteocast.net
meuikcr.online mhp.su mhrdmall.xyz miaxxx.com michellblog.online midnight.im mifepriston.net migronis.com
mikozstop.com mikrocement.com.ua mikrozaim.site mikrozaym2you.ru minegam.com minghaimuyuan.net miningblack.net
mirfairytale.ru mirobuvi.com.ua mirtorrent.net misselle.ru mksoap.ru mksport.ru mmdoors.ru mmm.lc mmm.sb
mnogabukaff.net mobicover.com.ua mobilemedia.md mobisport.ru mockupui.com modforwot.ru modnie-futbolki.net moe1.ru
moinozhki.com moiragracie.top moisadogorod.ru monetizationking.net money-for-placing-articles.com money7777.info
moneytop.ru moneyzzz.ru monicablog.xyz moon.market moonci.ru mosputana.info mosputana.top mosrif.ru
mossiemckenzie.shop mostbet-285.com mostbet-original.ru mostcool.top mostorgnerud.ru moy-dokument.com moy-evroopt.ru
moyakuhnia.ru moyaskidka.ru moygorod-online.ru moyparnik.com mrbojikobi4.biz mrt-info.ru msk-sprawka.com mtras.xyz
mtsguru.ru mukis.ru muscle-factory.com.ua musichallaudio.ru mvmagoods.xyz mwductwork.com mybestoffers.club
myborder.ru mybuh.kz mycheaptraffic.com mycollegereview.com mydirtystuff.com mydoctorok.ru myecomir.com
myftpupload.com myplaycity.com mysexpics.ru mytherealshop.com mytraffic.shop nachalka21.ru nakozhe.com nancyblog.top
nanochskazki.ru nanwar.xyz naobumium.info naphi.xyz narkomaniya-stop.ru narosty.com natali-forex.com natprof.ru
naturalpharm.com.ua navek.by nbok.net nebbiasale.xyz needtosellmyhousefast.com net-profits.xyz nethouse.ru
nevapotolok.ru newagebev.com newbieseoblog.online newsfj.net newsrosprom.ru newstaffadsshop.club nfocusdriver.com
nhmrcsale.xyz nicola.top nicolaonline.top niki-mlt.ru ninacecillia.top niuting.org no-rx.info nomerounddec.cf
novalskincare.net novosti-avto.ru novosti-hi-tech.ru novostic.ru now-hydra2020.com nsujfo.com ntdtv.ru
nubuilderian.info nufaq.com nutriwestncahi.com nvkzsale.xyz nwrcz.com nyinfo.org o-o-11-o-o.com o-o-6-o-o.com
o-o-6-o-o.ru o-o-8-o-o.com o-o-8-o-o.ru o-promyshlennosti.ru oblismall.xyz obnallpro.cc obsessionphrases.com
obyavka.org.ua obzor-casino-x.online obzor-casino-x.ru odiabetikah.com odsadsmobile.biz ofermerah.com office2web.com
officedocuments.net ogorodnic.com okna-systems.pro okno.ooo okoshkah.com oledonline.xyz olovoley.ru omega.best
one-a-plus.xyz onenews24.ru onion20hydra.ru onionhydra.net onionshydra.com online-akbars.ru online-binbank.ru
online-hit.info online-intim.com online-mkb.ru online-pharma.ru online-pochtabank.ru online-raiffeisen.ru
online-sbank.ru online-templatestore.com online-video-chat.ru online-vostbank.ru online-vtb.ru onlinedic.net
onlinetvseries.me onlinewot.ru onlywoman.org oohlivecams.com ooo-olni.ru oooh.pro optsol.ru oqex.io
oracle-patches.ru orakul.spb.ru osdzc.com osteochondrosis.ru otdbiaxaem-vmeste.ru otdyx-s-komfortom.ru oudallas.net
own-ahrefs.com ownshop.cf ozas.net pacobarrero.com pageinsider.org paidonlinesites.com painting-planet.com
palma-de-sochi.ru palvira.com.ua pamjatnik.com.ua pamyatnik-spb.ru pamyatnik-tsena.ru pandoshop.xyz parcsmalls.xyz
paretto.ru parking-invest.ru partizan19.ru partnerskie-programmy.net patonsale.xyz paulinho.ru pay.ru pc-services.ru
pecmastore.xyz penzu.xyz perform-like-alibabaity.info perform-likeism-alibaba.info perimetor.ru perm.dienai.ru
perper.ru petrovka-online.com petrushka-restoran.ru petscar.ru pfrf-kabinet.ru pharm--shop.ru phimarshcer.online
phimmakinhdi.com photo-clip.ru photokitchendesign.com php-market.ru picturesmania.com pills24h.com piluli.info
pinupcasinos.ru pinupcasinos1.ru pinupp1.com piratbike.ru pirelli-matador.ru piulatte.cz pizdeishn.com pizdeishn.net
pizza-imperia.com pizza-tycoon.com pk-pomosch.ru pk-services.ru plagscan.com podarkilove.ru poddon-moskva.ru
podemnik.pro podseka1.ru poiskzakona.ru poker-royal777.com pokupaylegko.ru polemikon.ru politika.bg
polyana-skazok.org.ua popads.net popelina.com pops.foundation popugauka.ru popugaychiki.com porn-video-chat.ru
porndl.org pornhive.org pornhub-forum.ga pornhub-ru.com porno-asia.com porno-chaman.info porno-gallery.ru
porno2xl.net pornobest.su pornoelita.info pornoforadult.com pornofoto.org pornogig.com pornohd1080.online
pornoklad.ru pornonik.com pornoplen.com pornorasskazy.net pornosemki.info pornoslave.net portnoff.od.ua pospektr.ru
posteezy.xyz potolokelekor.ru povodok-shop.ru pozdravleniya-c.ru predmety.in.ua prezidentshop.ru priceg.com
pricheski-video.com primfootball.com primoblog.xyz print-technology.ru private-service.best prizesk.com prizrn.site
prlog.ru probenzo.com.ua procrafts.ru prodaemdveri.com producm.ru prodvigator.ua professionalsolutions.eu
profnastil-moscow.ru progressive-seo.com prointer.net.ua prom23.ru promoforum.ru promoteapps.online
promotion-for99.com pron.pro proquoshop.xyz prosmibank.ru prostitutki-rostova.ru.com prostoacc.com psa48.ru
psiosale.xyz psn-card.ru ptashkatextil.ua ptfic.org punch.media purchasepillsnorx.com puzzleweb.ru qiwi.xyz
qoinex.top qtrstar.xyz qualitymarketzone.com quickchange.cc quit-smoking.ga qwesa.ru qxnr.net rachelblog.online
rainbirds.ru rangjued.com rank-checker.online rankings-analytics.com ranksonic.info ranksonic.net ranksonic.org
rapidgator-porn.ga rapidhits.net rapidsites.pro raschtextil.com.ua ratraiser.online raymondblog.top
razborka-skoda.org.ua rb-str.ru rcb101.ru rczhan.com readlife.net realresultslist.com recinziireale.com rednise.com
redraincine.com refpawro.xyz reginablog.top reginanahum.top regionshop.biz reklamnoe.agency releshop.ru rembash.ru
remkompov.ru remont-kvartirspb.com remontvau.ru rent2spb.ru replica-watch.ru research.ifmo.ru
resell-seo-services.com resellerclub.com residualforlife.com responsive-test.net resurs-2012.ru reversing.cc
revolgc.pro rfavon.ru rfesc.net riedismall.xyz rightenergysolutions.com.au rkmbonline.xyz robocheck.info
roof-city.ru room-mebel.ru rospromtest.ru royal-casino.online royal-casino.ru royal-casinos.online royal-casinos.ru
royal-cazino.online royal-cazino.ru rrutw.com rspectr.com ru-lk-rt.ru ru-onion.com ru-online-sberbank.ru
rufreechats.com ruhydraru.ru ruinfocomp.ru rulate.ru rumamba.com runetki-online.net rupolitshow.ru rus-lit.com
ruscams-com.ru rusexy.xyz ruspoety.ru russian-postindex.ru russian-translator.com russian-videochats.ru
russkie-sochineniya.ru rustag.ru rutor.group rxshop.md rybalka-opt.ru s-forum.biz s-luna.me sabinablog.xyz
sad-torg.com.ua sady-urala.ru saltspray.ru samanthablog.online samara-airport.com samara-comfort.ru samchist.ru
samlaurabrown.top samogonius.ru sanjosestartups.com santaren.by santasgift.ml santehnovich.ru sapaship.ru
sarahmilne.top saudegoods.xyz sauna-v-ufe.ru sauni-lipetsk.ru sauni-moskva.ru savetubevideo.com savetubevideo.info
scansafe.net scat.porn sciedsale.xyz screen-led.ru screentoolkit.com scripted.com search-error.com searchencrypt.com
security-corporation.com.ua seekanvdoo22.live seisasale.xyz sel-hoz.com selfhotdog.com sell-fb-group-here.com
semalt.com semalt.net semaltmedia.com semxiu.com senacertificados.co seo-2-0.com seo-platform.com
seo-services-b2b.com seo-services-wordpress.com seo-smm.kz seo-tips.top seo-traffic.xyz seoanalyses.com seobook.top
seocheckupx.com seocheckupx.net seoexperimenty.ru seojokes.net seopub.net seoriseome.netlify.app seoservices2018.com
serenamall.xyz serialsx.ru servemlixo.xyz sex-porno.site sex-spying.ru sex-videochats.ru sexpornotales.net
sexreliz.com sexreliz.net sexsaoy.com sexuria.net sexwife.net sexy-girl-chat.ru sexyali.com shagtomsk.ru
shamcisale.xyz shanscasino1.ru share-buttons-for-free.com share-buttons.xyz sharebutton.io sharebutton.net
sharebutton.to shcrose.com sheki-spb.ru shisenshop.xyz shnyagi.net shop-garena.ru shop.garena.ru.com shop2hydra.com
shop4fit.ru shopfishing.com.ua shoppinglocation.com shoppingmiracles.co.uk shoprybalka.ru shops-ru.ru
shopsellcardsdumps.com shsupplychain.com shtaketniki.ru shtormmall.xyz shulepov.ru sib-kukla.ru sibecoprom.ru
sibkukla.ru sign-service.ru sihugoods.xyz silvergull.ru sim-dealer.ru similarmoviesdb.com simoncinicancertherapy.com
simple-share-buttons.com singularwebs.net sinhronperevod.ru sirhoutlet.xyz siritshop.xyz site-auditor.online
site5.com siteripz.net sitesadd.com sitevaluation.org sjmsw.net skidku.org.ua skinali.com skinali.photo-clip.ru
sladkoevideo.com slashpet.com sledstvie-veli.net slftsdybbg.ru slkrm.ru slomm.ru sloopyjoes.com.top slotron.com
slow-website.xyz smailik.org smartphonediscount.info smt4.ru smzt.shop snabs.kz snaiper-bg.net sneakerfreaker.com
snegozaderzhatel.ru snip.to snip.tw snucm.com soaksoak.ru sochi-3d.ru social-button.xyz social-buttons-ii.xyz
social-buttons.com social-traffic-1.xyz social-traffic-2.xyz social-traffic-3.xyz social-traffic-4.xyz
social-traffic-5.xyz social-traffic-7.xyz social-widget.xyz socialbuttons.xyz socialine.net socialseet.ru
socialtrade.biz sohoindia.net solartek.ru solitaire-game.ru solnplast.ru sosdepotdebilan.com souvenirua.com
sovetogorod.ru sovetskie-plakaty.ru sowhoz.ru soyuzexpedition.ru sp-laptop.ru sp-zakupki.ru space2019.top
spain-poetry.com spartania.com.ua spb-plitka.ru spb-scenar.ru specstroy36.ru speedup-my.site spin2016.cf
sportobzori.ru sportwizard.ru spravka130.ru spravkavspb.net spravkavspb.work sprawka-help.com spscmall.xyz
spy-app.info sqadia.com squarespace.top sribno.net ssn.is sssexxx.net ssve.ru st-komf.ru sta-grand.ru
startraffic.online stat.lviv.ua statashop.xyz stavimdveri.ru steame.ru stiralkovich.ru stocktwists.com stoletie.ru
stoliar.org stomatologi.moscow stop-nark.ru stop-zavisimost.com store-rx.com strady.org.ua stream-tds.com
stroi-24.ru strongtools.ga stroy-matrix.ru stroyalp.ru stroyka-gid.ru stroyka47.ru studentguide.ru stuffhydra.com
stylecaster.top su1ufa.ru success-seo.com suckoutlet.xyz sudachitravel.com sundrugstore.com super-seo-guru.com
superiends.org supermama.top supermodni.com.ua superoboi.com.ua superslots-casino.online superslots-casino.site
superslots-cazino.online superslots-cazino.site superslotz-casino.site superslotz-cazino.site supertraffic.xyz
supervesti.ru suzanneboswell.top svadba-teplohod.ru svarog-jez.com svensk-poesi.com svet-depo.ru svetka.info
svetoch.moscow svoimi-rukamy.com svs-avto.com swaplab.io sweet.tv t-machinery.ru t-rec.su taartstore.xyz
tagmeanvice.live taihouse.ru tam-gde-more.ru tamada69.com tammyblog.online targetpay.nl tattoo-stickers.ru
tattooha.com tccp.xyz tcenavoprosa.ru tcsinksale.xyz tcyh.net td-abs.ru td-l-market.ru td-perimetr.ru tdbatik.com
tds-west.ru technika-remont.ru tedxrj.com telfer.ru teman.com.ua tennis-bet.ru tentcomplekt.ru teplohod-gnezdo.ru
teplokomplex.ru terapist.xyz teresablog.top tesla-audit.ru texnika.com.ua tgsubs.com tgtclick.com
thaimassage-slon.ru thaoduoctoc.com the-world.ru theautoprofit.ml thegreensociety.net theguardlan.com thelotter.su
therealshop.exaccess.com thesensehousehotel.com thesmartsearch.net timmy.by tip8.co tocan.biz tocan.com.ua
tokshow.online tomck.com tommysautomotivecare.com top-gan.ru top-instagram.info top-kasyna.com top-l2.com
top1-seo-service.com top10-online-games.com top10-way.com top8.co topgurudeals.com topmebeltorg.ru toposvita.com
topquality.cf topseoservices.co tor.vc torobrand.com torospa.ru torrentgamer.net torrentred.games totppgoods.xyz
tourburlington.com track-rankings.online tracker24-gps.ru trade365.org traderzplanet.co.in trafers.com
traffic-cash.xyz traffic2cash.org traffic2cash.xyz traffic2money.com trafficbot.life trafficbot4free.xyz
trafficdrive.club trafficgenius.xyz trafficmonetize.org trafficmonetizer.org trafficstudio.club transit.in.ua
transsex-videochat.ru traphouselatino.net travel-semantics.com travgoods.xyz trex-casino.com trex.casino
tricolortv-online.com trieste.io trion.od.ua truebeauty.cc tsatu.edu.ua tsc-koleso.ru ttechno.net tudusale.xyz
tuningdom.ru tvfru.org twsufa.ru ua.tc uaecdsale.xyz uasb.ru ucanfly.ru ucban.xyz ucoz.ru ucsfstore.xyz
uctraffic.com udav.net ufolabs.net uginekologa.com ukrainian-poetry.com ukrcargo.com ukrtvory.in.ua ukstmalls.xyz
ul-potolki.ru umatrcs.online undergroundcityphoto.com unibus.su uniqgen.net univerfiles.com unlimitdocs.net
unpredictable.ga upcronline.xyz uptime-as.net uptime-eu.net uptime-us.net uptimechecker.com urbanblog.shop
urbanchr.online urblog.xyz urlumbrella.com uruto.ru uslugi-tatarstan.ru uterkysale.xyz uusmsale.xyz uyut-dom.pro
uyutmaster73.ru uzpaket.com uzungil.com v-casino.fun v-casino.host v-casino.ru v-casino.site v-casino.website
v-casino.xyz v-cazino.online v-cazino.ru vaderenergy.ru valid-cc.com validccseller.com validus.pro
vanessablog.online vape-x.ru vardenafil20.com varikozdok.ru vavada-casino.host vavada-casino.top vavada-cazino.host
vavada-cazino.site vbikse.com vchulkah.net veles.shop veloland.in.ua ventopt.by veronicablog.top vescenter.ru
veselokloun.ru vesnatehno.com vetbvc.ru vezdevoz.com.ua vgoloveboli.net viagra-soft.ru video--production.com
video-girl-online.ru video-woman.com videochat-dating.ru videochat.guru videochat.world videos-for-your-business.com
videotop.biz vidzwap.xyz viel.su viktoria-center.ru virtchats.ru virtual-love-video.ru virtual-sex-chat.ru
virtual-sex-time.ru virtual-sex-videochat.ru virtual-zaim.ru virtualbb.com virus-schutzmasken.de vkonche.com
vksex.ru vladtime.ru vodabur.by vodaodessa.com vodkoved.ru volond.com vpdr.pl vrazbor59.ru vrnhnmall.xyz vsdelke.ru
vseigru.one vseigry.fun vseprobrak.ru vulkan-nadengi.ru vulkan-oficial.com vulkanrussia1.ru vzheludke.com vzubah.com
vzube.com vzubkah.com w2mobile-za.com w3javascript.com wakeupseoconsultant.com wallabag.malooma.bzh
wallet-prlzn.space wallinside.top wallpaperdesk.info wallpapers-all.com wallstore.xyz wandamary.online warmex.com.ua
wasabisale.xyz wave-games.ru wayfcoin.space wbjm.net wdss.com.ua we-ping-for-youic.info web-analytics.date
web-revenue.xyz webalex.pro weblibrary.win webmaster-traffic.com webmonetizer.net website-analytics.online
website-analyzer.info website-speed-check.site website-speed-checker.site websitebottraffic.host
websites-reviews.com websocial.me weburlopener.com weightbelts.ru wfdesigngroup.com wjxmenye.com wmasterlead.com
woduc.com woman-orgasm.ru wordpress-crew.net wordpresscore.com workius.ru workona.com works.if.ua worldgamenews.com
worldmed.info worldofbtc.com wpnull.org wptraffic.xyz wrc-info.ru wufak.com ww2awards.info www-lk-rt.ru x-lime.com
x-lime.net x5market.ru xaker26.net xexe.club xion.cash xkaz.org xmnb.net
xn-------53dbcapga5atlplfdm6ag1ab1bvehl0b7toa0k.xn--p1ai xn------6cdbciescapvf0a8bibwx0a1bu.xn--90ais
xn-----6kcacs9ajdmhcwdcbwwcnbgd13a.xn--p1ai xn-----6kcamwewcd9bayelq.xn--p1ai
xn-----7kcaaxchbbmgncr7chzy0k0hk.xn--p1ai xn-----clckdac3bsfgdft3aebjp5etek.xn--p1ai
xn----7sbabb9a1b7bddgm6a1i.xn--p1ai xn----7sbabhjc3ccc5aggbzfmfi.xn--p1ai xn----7sbabhv4abd8aih6bb7k.xn--p1ai
xn----7sbabm1ahc4b2aqff.su xn----7sbabn5abjehfwi8bj.xn--p1ai xn----7sbbpe3afguye.xn--p1ai
xn----7sbho2agebbhlivy.xn--p1ai xn----8sbaki4azawu5b.xn--p1ai xn----8sbarihbihxpxqgaf0g1e.xn--80adxhks
xn----8sbbjimdeyfsi.xn--p1ai xn----8sbhefaln6acifdaon5c6f4axh.xn--p1ai
xn----8sblgmbj1a1bk8l.xn----161-4vemb6cjl7anbaea3afninj.xn--p1ai xn----8sbowe2akbcd4h.xn--p1ai
xn----8sbpmgeilbd8achi0c.xn--p1ai xn----btbdvdh4aafrfciljm6k.xn--p1ai xn----ctbbcjd3dbsehgi.xn--p1ai
xn----ctbfcdjl8baejhfb1oh.xn--p1ai xn----ctbigni3aj4h.xn--p1ai xn----dtbffp5aagjgfm.xn--p1ai
xn----ftbeoaiyg1ak1cb7d.xn--p1ai xn----itbbudqejbfpg3l.com xn----jtbjfcbdfr0afji4m.xn--p1ai
xn--78-6kc6akkhn3a3k.xn--p1ai xn--78-6kcmzqfpcb1amd1q.xn--p1ai xn--80aaajkrncdlqdh6ane8t.xn--p1ai
xn--80aabcsc3bqirlt.xn--p1ai xn--80aanaardaperhcem4a6i.com xn--80adaggc5bdhlfamsfdij4p7b.xn--p1ai
xn--80adgcaax6acohn6r.xn--p1ai xn--80aeb6argv.xn--p1ai xn--80aebzmbfeebe.xn--p1ai xn--80ahdheogk5l.xn--p1ai
xn--90acenikpebbdd4f6d.xn--p1ai xn--90acjmaltae3acm.xn--p1acf xn--b1adccayqiirhu.xn--p1ai xn--c1acygb.xn--p1ai
xn--d1abj0abs9d.in.ua xn--d1aifoe0a9a.top xn--e1aaajzchnkg.ru.com xn--e1aahcgdjkg4aeje6j.kz xn--e1agf4c.xn--80adxhks
xpert.com.ua xrp-ripple.info xtraffic.plus xtrafficplus.com xtrafficplus.online xtrafficplus.shop xtrafficplus.xyz
xxxhamster.me xxxvideochat.ru xz618.com yaderenergy.ru yes-com.com yes-do-now.com yhirurga.ru ykecwqlixx.ru yodse.io
yoga4.ru yougame.biz youhack.info youporn-forum.ga youporn-ru.com your-good-links.com your-tales.ru
yourserverisdown.com yourtraffic.club yqpc.net yur-p.ru yurcons.pro yuristproffi.ru zagadki.in.ua zahodi2hydra.net
zahvat.ru zakaznoy.com.ua zakis-azota24.ru zakisazota-official.com zamolotkom.ru zapnado.ru
zarabotat-v-internete.biz zastroyka.org zavod-gm.ru zdm-auto.com zdm-auto.ru zdorovie-nogi.info zelena-mriya.com.ua
zexhgoods.xyz zeyao.net zhcsapp.net zhoobintravel.com zonefiles.bid zot.moscow zsio.net zt-m.ru zvetki.ru zvooq.eu
zvuker.net`.split(/\s+/)
