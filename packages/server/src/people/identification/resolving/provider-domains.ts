// cspell:disable -- names of companies
// Registrable domains of the largest access, mobile, hosting, CDN and VPN providers of every region, as the makers of
// network files and reverse names spell them. They say whose network it is, never who a person works for, so they count
// for networks alone and never for email addresses (spec 13.2.7).

export const providerDomains: ReadonlySet<string> = new Set(
  `012.net.il 10086.cn 163data.com.cn 189.cn 1and1.com 1and1.de 1und1.de 1und1.net 20i.com 2degrees.nz 31173.se 3bb.co.th
a1.bg a1.by a1.hr a1.mk a1.net a1.rs a1.si a2hosting.com aa.net.uk aapt.com.au acens.com actcorp.in active24.cz
adamo.es adinet.com.uy adista.fr afghantelecom.af afranet.com afrihost.com airtel.co.tz airtel.com airtel.com.ng
airtel.ga airtel.in airtelbroadband.in ais.co.th ais.th akado-telecom.ru akado.ru akamai.com akamaiedge.net
akamaitechnologies.com alaresinternet.com.br alcom.ax alestra.com.mx alestra.net.mx algar.com.br algartelecom.com.br
algerietelecom.dz alibaba-inc.com alibabacloud.com alibabagroup.com alice-dsl.de alice.it aliyun-inc.com aliyun.com
all-inkl.com alliancebroadband.in allo.my allocommunications.com altafiber.com altibox.com altibox.no altice.com.do
alwaysdata.com amazon.com amazonaws.com amberit.com.bd americanet.com.br anchorfree.com andinanet.net anexia-it.com
anexia.com antel.com.uy antel.net.uy antik.sk aon.at aptg.com.tw arcor-ip.net arcor.de arelion.com
armstrongonewire.com arnet.com.ar arsys.es arsys.net arteria-net.com aruba.it asahi-net.or.jp asiacell.com asiatech.ir
asta-net.pl astound.net atman.pl atom.com.mm att.com att.net au.com aussiebroadband.com.au automattic.com
avantiplc.com axtel.com.mx axtel.net axxess.co.za azdigi.com azercell.com azirevpn.com aztelekom.az azure.com
babilon-t.com bacloud.com bahnhof.net bahnhof.se baidu.com baltcom.lv balticom.lv banglalink.net batelco.com bbbell.it
bbox.fr bbtec.net bdcom.com beanfield.com beeline.kz beeline.ru beeline.uz beget.com beget.ru belgacom.be bell.ca
bellaliant.net bellsouth.net belong.com.au beltelecom.by bezeq.co.il bezeqint.net bhtelecom.ba bics.com biglobe.co.jp
biglobe.ne.jp bigpond.com bigpond.net.au bite.lt bite.lv bitel.com.pe biznetgio.com biznetnetworks.com bluehost.com
bluewin.ch boingo.com boostmobile.com boranet.net bouyguestelecom.fr brasiltelecom.net.br bredband2.com breezeline.com
brisanet.com.br brisanet.net.br bsnl.co.in bsnl.in bt.com btc-net.bg btc.bw btcentralplus.com btcl.com.bd btcl.gov.bd
btopenworld.com buckeyebroadband.com bulsat.com bunny.net buyvm.net byfly.by bytemark.co.uk cablecolor.hn cablecom.ch
cablelink.at cablenet.com.cy cableonda.com cableonda.net cableone.biz cableone.net cablevision.com cablevision.net.mx
cabotelecom.com.br cachefly.com cafe24.com caiway.nl camintel.com camtel.cm canl.nc cantv.com.ve cantv.net
carnival.com.bd casablanca.cz catonetworks.com cbn.id cbn.net.id cdmon.com cdn77.com cdnetworks.com celcom.com.my
celeste.fr cellc.co.za cellcard.com.kh cellcom.co.il centurylink.com centurylink.net cernet.edu.cn cetin.cz cgates.lt
charter.com charter.net chello.at chello.nl cherryservers.com chinabtn.com chinamobile.com chinanetcenter.com
chinatelecom.cn chinatelecom.com.cn chinatelecomglobal.com chinatietong.com chinaunicom.cn chinaunicom.com
chinaunicom.com.cn chinaunicomglobal.com choopa.com chroot.ro cht.com.tw cincinnatibell.com citictel-cpc.com
citictel.com citycable.ch cityfibre.com claranet.co.uk claranet.com claro.com.ar claro.com.br claro.com.co
claro.com.do claro.com.ec claro.com.gt claro.com.pe clarochile.cl claropr.com cloud.ru cloudflare.com clouditalia.com
clouvider.com cmb.co.kr cmctelecom.vn cnt.gob.ec codetel.net.do cogeco.ca cogeco.com cogentco.com colocrossing.com
colt.net combell.com combell.net comcast.com comcast.net comhem.se commufa.jp communityfibre.co.uk comporium.com
comteco.com.bo consolidated.com constant.com contabo.com contabo.de contabo.net convergeict.com conwaycorp.com
coolhousing.net coolideas.co.za copaco.com.py corbina.net corbina.ru core-backbone.com cox.com cox.net crowncastle.com
csloxinfo.com csloxinfo.net cspire.com ctc.co.jp ctm.net ctrls.com ctrls.in cwc.com cwpanama.net cyber.net.pk
cyberfolks.pl cyberghostvpn.com cybersmart.co.za cyfuture.com cyon.ch cyta.com.cy cytanet.com.cy datacamp.co.uk
datagroup.ua datapacket.com ddos-guard.net delta-telecom.net delta.nl denonline.in desktop.com.br
deutsche-glasfaser.de dhiraagu.com.mv dhosting.pl dialog.lk digi.com.my digi.hu digi.ro digicelgroup.com digimobil.es
digitalocean.com digitalpacific.com.au digitel.com.ve digiweb.ie dimensione.com dinahosting.com dion.ne.jp dish.com
distributel.ca dito.ph dlive.kr dna.fi dnhost.gr dns-net.de docomo.ne.jp docomopacific.com dodo.com.au dokom21.de
domains.co.za domeneshop.no domru.ru doruk.net.tr dreamhost.com drei.at drei.com drpeng.com.cn dtac.co.th dtag.de
du.ae e2enetworks.com earthlink.com earthlink.iq earthlink.net eastern-tele.com eastern.com.ph eastlink.ca
easyname.com easynet.com ebox.ca ecotel.de edgecast.com edgio.com edpnet.be edpnet.net eidsiva.net eir.ie eircom.net
electriclightwave.com elisa.com elisa.ee elisa.fi embarqhsd.net embratel.net.br emcali.com.co emeraldonion.org
emirates.net.ae emtel.com endurance.com enecom.co.jp energieag.at entel.bo entel.cl entel.pe entelchile.net enzu.com
eolo.it eonet.ne.jp epb.com epb.net epbfi.com epic.com.cy epic.com.mt equinix.com ertelecom.ru etb.net.co etecsa.cu
ethiotelecom.et etisalat.ae etisalat.af etisalat.com etisalat.com.eg etllao.com eunetworks.com eurofiber.com
euskaltel.com euskaltel.es eutelsat.com everstream.net ewe-ip-backbone.de ewe.de ewetel.de exabytes.my exatel.pl
excitel.com execulink.ca exede.net exetel.com.au exoscale.ch expressvpn.com ezecom.com.kh faiba.co.ke
fareastone.com.tw fast.net.id fasthosts.co.uk fastly.com fastly.net fastweb.it fastwebnet.it fetnet.net
fiberathome.net fiberhost.com fibertel.com.ar fibia.dk fibrenoire.ca fidium.com firstdigital.com firstlight.net
firstmedia.com fly.io forcepoint.com fornex.com forpsi.com forthnet.gr fpt.vn francetelecom.com frantech.ca free.fr
freebit.com freedom.nl freenet.de fregat.com frontier.com frontiernet.net frontiir.com ft.fo fuse.net
fusionconnect.com g.network gabia.com gamma.co.uk gandi.net gawex.pl gci.com gci.net gcore.com gemnet.mn gga.ch
gibtele.com gigaclear.com giganews.com gigenet.com gilat.net glasfaser-ruhr.de glesys.com globalconnect.dk
globalconnect.se globalcrossing.net globalstar.com globe.com.ph gloworld.com gmo.jp go.com.mt go.com.sa godaddy.com
gogoair.com goldenfrog.com gonetspeed.com google.com googlefiber.net googleusercontent.com goskope.com
grameenphone.com granitenet.com green.ch greengeeks.com gta.net gtd.cl gtdmanquehue.com gthost.com gtpl.net gtt.net
guzel.net.tr gvt.net.br gvtc.com gwbnsh.net.cn hadara.ps halotel.co.tz hansenet.de hathway.com hathway.net
hawaiiantel.com hawaiiantel.net hcn.co.kr he.net heartinternet.uk heroku.com herokuapp.com heteml.jp hetzner.co.za
hetzner.com hetzner.de hgc-intl.com hgc.com.hk hgcbroadband.com hide.me highwinds.com hinet.net hiper.dk hispeed.ch
hivelocity.net hkbn.com.hk hkbn.net hkbnes.net hkcable.com.hk hkcsl.com hma.com hol.gr home.ne.jp home.pl hondutel.hn
hostafrica.co.za hosteurope.de hostgator.com hostico.ro hostinger.com hostinger.io hostiserver.com hostkey.com
hostkey.ru hostnet.nl hostpapa.com hostpoint.ch hostpro.ua hostus.us hostwinds.com hostwindsdns.com hot.net.il
hotwirecommunications.com hringdu.is ht.hr htcinc.net huawei.com huaweicloud.com hughes.com hughes.net hughesnet.com
hvosting.ua hyperoptic.com i-cable.com i3d.net iam.ma ibm.com iboss.com ice.co.cr idcf.jp idcloudhost.com idknet.com
idm.net.lb idnet.net ielo.net ihs.com.tr iij.ad.jp iinet.com iinet.net.au ikb.at ikoula.com iliad.it imagine.ie
imperva.com incapsula.com indosat.com indosatooredoo.com inea.pl inet.co.th inet.vn inexio.net infomaniak.ch
infomaniak.com init.lt init7.net inmarsat.com inmotionhosting.com inspire.net.nz intelsat.com inter.com.ve
internap.com internap.net interoute.com interserver.net intred.it inwi.ma ioh.co.id iomart.com ionos.co.uk ionos.com
ionos.de ip-only.se ipko.com iplan.com.ar iprimus.com.au ipserverone.com ipvanish.com iridium.com is.co.za
isimkayit.com isimtescil.net ite.net itscom.net iv.lt ivpn.net iway.ch izzi.mx jasmine.com jawwal.ps jazz.com.pk
jazztel.com jazztel.es jcom.co.jp jino.ru jio.com jtglobal.com junet.se kabel-deutschland.de kabelplus.at kacific.com
kagoya.net kaisanet.fi kbro.com.tw kbtelecom.net kcell.kz kcom.com kddi.com keliweb.com keliweb.it keralavisionisp.com
keycdn.com keyweb.de kinghost.net kinsta.com kinx.net korektel.com kornet.net kpn.com kpn.net kpn.nl krystal.uk
ksc.net ksyun.com kt.com kujtesa.com kundenserver.de kyivstar.net kyivstar.ua lagoon.nc lanet.ua laotel.com
launtel.net.au leaptel.com.au leaseweb.com leaseweb.net leaseweb.nl level3.com level3.net lghellovision.net
lguplus.co.kr lguplus.com lh.pl libero.it libertypr.com lifecell.ua limelight.com limestonenetworks.com link3.net
linkdotnet.com linkem.com linkt.fr linode.com lintasarta.net liquid.tech liquidtelecom.com liquidweb.com liwest.at
llnw.net lmt.lv locaweb.com.br lolipop.jp longvan.net loopia.se lounea.fi lstn.net ltt.ly lumen.com lumos.net lws.fr
lyntia.com lyse.no m-net.de m1.com.sg m1net.com.sg m247.com m247.ro m247global.com magenta.at magticom.ge mainone.net
majordomo.ru marlink.com mascom.bw masmovil.com masmovil.es master.cz masterhost.ru maxis.com.my maxis.net.my
maxnet.ua mchsi.com mci.ir mediacomcable.com mediacomcc.com medianova.com megacable.com.mx megacom.kg megafon.ru
megaline.kg megared.net.mx meghbelabroadband.com melita.com memset.com meo.pt metanet.ch metfone.com.kh metronet.com
metrotel.com.ar mgts.ru microsoft.com midco.com midco.net milesweb.com mirohost.net misaka.io mittwald.de
mnet-online.de mobifone.vn mobily.com.sa mobinet.mn mobitel.lk mobtelecom.com.br moldcell.md moldtelecom.md
monkeybrains.net moratelindo.co.id motivtelecom.ru movistar.cl movistar.com.mx movistar.es movitel.co.mz mtc.com.na
mtel.ba mtel.me mtel.mo mtn.ci mtn.cm mtn.co.rw mtn.co.ug mtn.co.za mtn.com mtn.com.gh mtn.ng mtn.sd mtn.zm
mtnl.net.in mtnonline.com mts.by mts.net mts.rs mts.ru mtu.ru mullvad.net multacom.com multimedia.pl mundivox.com
mundopacifico.cl mweb.co.za myrepublic.co.id myrepublic.net mytel.com.mm myvzw.com namecheap.com nayatel.com nazwa.pl
ncell.com.np neostrada.pl neotel.co.za nessus.at netcabo.pt netcologne.de netcup.de netcup.net netdirekt.com.tr
netia.pl netlify.com netnam.vn netone.co.zw netplus.ch netplus.co.in netskope.com netsons.com netspeed.com.tr
netturbo.com.br netuno.net netvigator.com netvision.net.il newfold.com newroztelecom.com nex-tech.com nexcess.net
nexicom.net nextel.com.br nextgentel.no nextlayer.at nforce.com ngenix.net nhncloud.com nifty.com nine.ch nocix.net
noor.net nordictelecom.cz nordlo.com nordnet.com nordnet.fr nordvpn.com norlys.dk nos.pt nova.gr nova.is
novotelecom.ru novusnow.ca nowo.pt ntc.net.np ntelos.net ntplc.co.th ntt-east.co.jp ntt.com ntt.net nttdocomo.co.jp
nttdocomo.com nttpc.co.jp numericable.fr nuuday.dk nwtel.ca o2.co.uk o2.cz o2.de o2online.de o2switch.fr ocn.ne.jp
ocn.net.cn odido.nl ogero.gov.lb oi.com.br oi.net.br oleane.fr omantel.net.om omantel.om on.net onati.pf one.al
one.com one.hu one.nz oneweb.net online.com.kh online.net online.nl online.tm onlinehome-server.info ono.com ono.es
ooredoo.com.kw ooredoo.dz ooredoo.mv ooredoo.om ooredoo.qa ooredoo.tn opendns.com openfiber.it opentransit.net opt.nc
optage.co.jp optimum.com optimum.net optix.pk optonline.net optus.com.au optusnet.com.au oracle.com oraclecloud.com
orange.be orange.bf orange.cd orange.ci orange.cm orange.com orange.es orange.fr orange.jo orange.ma orange.md
orange.mg orange.pl orange.ro orange.sk orange.tn orcon.net.nz oriontelekom.rs ote.gr otenet.gr outscale.com ovh.ca
ovh.com ovh.net ovh.us ovhcloud.com ovpn.com ownit.se oxio.ca packet.com packethub.net paltel.ps pantheon.io papaki.gr
paratus.africa parsonline.com pavlovmedia.com pccw.com pccwglobal.com penki.lt penteledata.net perfect-privacy.com
performive.com personal.com.py pilotfiber.com pishgaman.net plala.or.jp planet.nl planetel.it planethoster.net play.pl
pldt.com pldt.com.ph pldt.net plus.com plus.net plus.pl plusnet.de plusserver.com plusserver.de poda.cz
poneytelecom.eu post.lu primetel.com.cy primus.ca privadovpn.com privateinternetaccess.com privatevpn.com
prod-infinitum.com.mx proton.ch proton.me protonvpn.com proxad.net proximus.com prtelecom.hu psychz.net ptcl.com.pk
ptcl.net ptcl.net.pk ptd.net ptvtelecom.com publicdomainregistry.com puntonet.ec purevpn.com pyur.com qcloud.com
qingcloud.com qrator.net qsc.de qtnet.co.jp quadranet.com quantil.com quickline.ch qwest.net rackforest.com
racknerd.com rackspace.com rackspace.net radore.com railtel.in railtelindia.com rain.co.za rakuten.co.jp rcn.com
rcom.co.in rcs-rds.ro rdsnet.ro reg.ru register.it relianceada.com render.com respina.net retelit.it retn.net
rightel.ir ril.com rima-tde.net rinet.ru robi.com.bd rogers.com romarg.ro roshan.af rostelecom.ru rr.com rt.ru
rusonyx.ru ruvds.com sabanet.ir safaricom.co.ke sakura.ad.jp sakura.ne.jp salt.ch salzburg-ag.at sapo.pt sasktel.com
sasktel.net satro.sk saudi.net.sa saunalahti.fi sbb.rs sbcglobal.net scalahosting.com scaleway.com scarlet.be
sctv.com.vn seacom.com secureserver.net seed.net.tw seeweb.it segra.com selectel.com selectel.ru sercomtel.com.br
serverius.net servermania.com servers.com ses.com sfr.com sfr.fr sfr.net sharktech.net shatel.ir shaw.ca shawcable.net
shentel.com shinjiru.com.my sify.net sifycorp.com signet.nl silknet.com simba.sg siminn.is simply.com singlehop.com
singnet.com.sg singtel.com siol.net siol.si siteground.com sitehost.co.nz sitehost.nz skbroadband.com sktelecom.com
sky.com sky.com.br skybandalarga.com.br skybroadband.com skydsl.eu skymesh.net.au skynet.be slovanet.net slovanet.sk
slt.com.lk slt.lk smart.com.kh smart.com.ph smartfren.com smartone.com smile.com.ng so-net.ne.jp so-net.net.tw
soborka.net socket.net softbank.jp softlayer.com solcon.nl sonatel.com sonatel.sn sonera.com sonera.fi sonic.com
sonic.net sonynetwork.co.jp spacex.com spark.co.nz sparklight.com spcsdns.net spectra.co spectranet.com.ng
spectranet.in spectrum.com speedcast.com speedy.com.ar spintel.net.au splius.lt spmode.ne.jp sprint.com sprint.net
spt.vn squarespace.com stackpath.com stackscale.com starhub.com starlink.com starlinkisp.net starnet.cz starnet.md
starry.com start.ca stc.com.bh stc.com.kw stc.com.sa steadfast.net stnet.co.jp stofa.dk stormwall.pro strato.com
strato.de stv.ee subisu.net.np sucuri.net sudatel.sd suddenlink.com suddenlink.net sumicity.net.br
summitcommunications.net sunrise.ch superhosting.bg superloop.com superonline.net sure.com surfshark.com swan.sk
swisscom.ch swisscom.com sympatico.ca symphony.net.th t-2.net t-com.hr t-com.sk t-dialin.net t-ipconnect.de
t-mobile.com t-mobile.cz t-mobile.de t-mobile.pl t-online.de t-online.hu t2.ru taiwanmobile.com talktalkbusiness.co.uk
talktalkplc.com tarhely.eu tarr.hu tatacommunications.com tataidc.co.in tataplayfiber.com tatatel.co.in tattelecom.ru
tbaytel.net tci.ir tdc.dk tdc.net tds.net tdstelecom.com te.eg tedata.net tefincom.com teksavvy.com telcel.com
telconet.ec tele2.com tele2.kz tele2.nl tele2.ru tele2.se telecentro.com.ar telecolumbus.com telecom.com.ar telecom.kz
telecom.mu telecom.na telecom.net.ar telecom.tm telecomarmenia.am telecomitalia.com telecomitalia.it telefonica.com
telefonica.com.ar telefonica.com.br telefonica.com.pe telefonica.de telefonica.es telefonica.global telefonica.net
telefonicachile.cl telekom.com telekom.de telekom.hr telekom.hu telekom.me telekom.mk telekom.ro telekom.rs telekom.si
telekom.sk telemach.ba telemach.hr telemach.si telemar.net.br telemaxx.de telenet-ops.be telenet.be telenor.com
telenor.com.pk telenor.dk telenor.net telenor.no telenor.se telepac.pt telesat.com telesp.net.br telia.com telia.dk
telia.ee telia.fi telia.lt telia.net telia.no telia.se teliacompany.com telikompng.com.pg telkom.co.id telkom.co.ke
telkom.co.za telkomsa.net telkomsel.com telma.mg telmex.com telmex.net.mx telone.co.zw telstra.com telstra.com.au
telstra.net telsur.cl telus.com telus.net tencent.com tencentcloud.com tenet.ua terra.net.lb tesonet.com tet.lv
tfn.net.tw thcservers.com three.co.uk three.com.hk three.ie thuraya.com tic.ir tie.cl tigo.co.tz tigo.com.bo
tigo.com.co tigo.com.gt tigo.com.hn tigo.com.py tikona.in tim.com.br tim.it timbl.co.in time.com.my timeweb.com
timeweb.ru timortelecom.tl tin.it tiscali.it tisparkle.com tm.com.my tm.net.my tmobile.com tng.de tnm.co.mw
tojiktelecom.tj toob.co.uk topnet.tn topway.com.cn torguard.net tot.co.th totalplay.com.mx toya.com.pl toya.net.pl
tpg.com.au tpgi.com.au tpgtelecom.com.au tpnet.pl tpx.com transip.eu transip.net transip.nl transtelecom.net tre.se
tricom.net triolan.com triolan.net trooli.com true.th truecorp.co.th trueinternet.co.th truphone.com tstt.co.tt
ttcl.co.tz ttk.ru ttnet.com.tr ttnet.net.tr tunisietelecom.tn tunnelbear.com turk.net turkcell.com.tr turknet.net.tr
turksat.com.tr turktelekom.com.tr tusass.gl tvcabo.ao tw1.com twc.com twelve99.net u.com.my ucell.uz ucloud.cn ucom.am
ucom.ne.jp ufanet.ru ufinet.com ufone.com uih.co.th uk2.net ukraine.com.ua ukrtel.net ukrtelecom.ua ukservers.com
umniah.com une.com.co une.net.co unidata.it unifiedlayer.com unifique.com.br uninet.net.mx unitel.ao unitel.com.la
unitel.mn uno.it uol.com.br upc.cz upc.hu upc.ie upc.nl upc.pl upcloud.com ural.net usen.com usinternet.com utl.co.ug
utopiafiber.com valoo.fi vdsina.com vdsina.ru vectra.pl vegatele.com vercel.com veridyen.com verizon.com verizon.net
verizonbusiness.com verizonwireless.com versatel.de vhost.vn vianet.com.np viasat.com videotron.ca videotron.com
viettel.com.vn viettel.vn viewqwest.com virginm.net virginmedia.co.uk virginmedia.com virginmedia.ie virmach.com
virtua.com.br viva.am vivacom.bg vivo.com.br vivozap.com.br vk.company vm.co.mz vmedia.ca vnpt.com.vn vnpt.vn
vocus.co.nz vocus.com.au vodacom.cd vodacom.co.tz vodacom.co.za vodacom.com vodafone-ip.de vodafone.al vodafone.co.nz
vodafone.co.uk vodafone.com vodafone.com.au vodafone.com.eg vodafone.com.fj vodafone.com.tr vodafone.cz vodafone.de
vodafone.es vodafone.gr vodafone.hu vodafone.ie vodafone.is vodafone.it vodafone.nl vodafone.pt vodafone.qa
vodafone.ro vodafone.ua vodafoneidea.com vodafoneziggo.com volcengine.com volia.com volia.net voo.be vox.co.za
voxility.com voyager.nz vpls.com vpls.net vshosting.cz vtc.net vtr.com vtr.net vtx.ch vultr.com vultrusercontent.com
vumatel.co.za vyprvpn.com vyvebroadband.com wadax.ne.jp wanadoo.fr wananchi.com waoo.dk wateen.com wavebroadband.com
web-hosting.com webafrica.co.za webpass.net websupport.se websupport.sk webwerks.com webwerks.in wedos.cz weebly.com
weserve.nl westnet.com.au whizcomms.com.sg wholesaleinternet.net wideopenwest.com wightfibre.com wilhelm-tel.de win.pe
wind.it windscribe.com windstream.com windstream.net windtre.it wiocc.net wix.com wlink.com.np wom.cl wordpress.com
world4you.com worldlink.com.np worldstream.com wowway.com wpengine.com wwz.ch xfinity.com xl.co.id xmission.com
xneelo.co.za xneelo.com xplore.ca xplornet.com xs4all.nl xserver.co.jp xserver.jp xtom.com xtra.co.nz yahsat.ae
yandex.cloud yandex.com yemen.net.ye yettel.hu yoigo.com yota.ru yotta.com youbroadband.co.in youbroadband.in
youfibre.com your-server.de ytlcomms.my zain.com zamtel.zm zaq.ne.jp zayo.com zebra.lt zen.co.uk zenlayer.com zeop.re
ziggo.nl ziplyfiber.com zon.pt zong.com.pk zscaler.com zscaler.net`.split(/\s+/),
)
