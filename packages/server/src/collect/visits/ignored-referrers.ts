// cspell:disable -- names of hosts
// Sign-in and payment providers. A visitor comes back from them to the site where they were, so their referrer says
// nothing about where the visitor comes from (spec 6.5.7). Nor does that of a referrer spammer.
import { parentOf, plainHost } from "./host.ts"
import { spammers } from "./referrer-spam.ts"

/** With their subdomains. */
const providers =
  `accounts.google.com accounts.youtube.com login.microsoftonline.com login.microsoftonline.us login.live.com
  login.windows.net login.microsoft.com account.live.com b2clogin.com ciamlogin.com appleid.apple.com idmsa.apple.com
  account.apple.com okta.com okta-emea.com oktapreview.com auth0.com onelogin.com pingone.com pingone.eu
  pingidentity.com duosecurity.com jumpcloud.com secureauth.com cloudflareaccess.com login.gov id.me
  amazoncognito.com signin.aws.amazon.com workos.com authkit.app accounts.dev kinde.com stytch.com
  descope.com frontegg.com propelauth.com fusionauth.io logto.app zitadel.cloud login.salesforce.com
  login.xero.com auth.atlassian.com id.atlassian.com login.yahoo.com id.twitch.tv
  clever.com classlink.com miniorange.com cyberark.cloud bankid.com bankid.no mitid.dk nemlog-in.dk digid.nl
  itsme.be franceconnect.gouv.fr
  checkout.stripe.com hooks.stripe.com js.stripe.com billing.stripe.com buy.stripe.com connect.stripe.com
  invoice.stripe.com pay.stripe.com verify.stripe.com paypal.com paypal.me braintreegateway.com braintreepayments.com
  pay.google.com payments.google.com payments.amazon.com pay.amazon.com pay.amazon.de checkout.shopify.com
  pay.shopify.com shop.app adyen.com klarna.com afterpay.com clearpay.co.uk affirm.com zip.co sezzle.com mollie.com
  checkout.com worldpay.com globalpay.com realexpayments.com cybersource.com authorize.net 2checkout.com avangate.com
  paddle.com lemonsqueezy.com chargebee.com recurly.com zuora.com fastspring.com onfastspring.com cleverbridge.com
  gumroad.com squareup.com checkout.square.site cash.app venmo.com wise.com payoneer.com skrill.com neteller.com
  paysafecard.com paysafe.com sumup.com sagepay.com opayo.co.uk opayo.eu gocardless.com trustly.com sofort.com
  giropay.de ideal.nl buckaroo.nl multisafepay.com pay.nl payconiq.com bancontact.com ogone.com wlp-acs.com
  worldline-solutions.com saferpay.com datatrans.com datatrans.ch postfinance.ch twint.ch computop-paygate.com
  unzer.com heidelpay.com payone.com nexi.it satispay.com redsys.es sermepa.es systempay.fr payplug.com payzen.eu
  quickpay.net dibspayment.eu swish.nu vipps.no mobilepay.dk paytrail.com checkout.fi payu.com payu.in payu.pl
  przelewy24.pl tpay.com dotpay.pl gopay.com gopay.cz comgate.cz barion.com simplepay.hu euplatesc.ro mobilpay.ro
  vivapayments.com iyzico.com iyzipay.com paytr.com razorpay.com ccavenue.com billdesk.com cashfree.com instamojo.com
  securegw.paytm.in phonepe.com mercadopago.com mercadopago.com.br mercadopago.com.ar mercadopago.com.mx
  pagseguro.uol.com.br pagar.me ebanx.com dlocal.com conekta.com webpay.cl wompi.co placetopay.com payfast.co.za
  peachpayments.com paystack.com paystack.co flutterwave.com pesapal.com alipay.com tenpay.com pay.weixin.qq.com
  unionpay.com unionpayintl.com omise.co midtrans.com xendit.co molpay.com ipay88.com ipay88.com.my billplz.com
  paymaya.com paymongo.com dragonpay.ph vnpayment.vn momo.vn zalopay.vn ecpay.com.tw newebpay.com gmo-pg.com
  komoju.com tosspayments.com inicis.com kakaopay.com eway.com.au ewaypayments.com pinpayments.com windcave.com
  paymentexpress.com paytabs.com moyasar.com myfatoorah.com cardinalcommerce.com`.split(/\s+/)

const shipped: ReadonlySet<string> = new Set([...providers, ...spammers])

export const isIgnoredReferrer = (
  host: string,
  ofPixel: ReadonlyArray<string> | null | undefined,
): boolean => {
  for (let name = plainHost(host); name !== ""; name = parentOf(name)) {
    if (shipped.has(name) || ofPixel?.includes(name) === true) return true
  }
  return false
}
