import type { Language } from '../domain/language.ts';

/** Banks by their codes at the Bank of Thailand; 000 is the bank of test mode. */
const BANKS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  '000': { en: 'Test bank', th: 'ธนาคารทดสอบ' },
  '002': { en: 'Bangkok Bank', th: 'ธนาคารกรุงเทพ' },
  '004': { en: 'Kasikornbank (KBank)', th: 'ธนาคารกสิกรไทย' },
  '006': { en: 'Krungthai Bank', th: 'ธนาคารกรุงไทย' },
  '011': { en: 'TMBThanachart Bank (ttb)', th: 'ธนาคารทหารไทยธนชาต' },
  '014': { en: 'Siam Commercial Bank (SCB)', th: 'ธนาคารไทยพาณิชย์' },
  '022': { en: 'CIMB Thai Bank', th: 'ธนาคารซีไอเอ็มบี ไทย' },
  '024': { en: 'United Overseas Bank (Thai)', th: 'ธนาคารยูโอบี' },
  '025': { en: 'Bank of Ayudhya (Krungsri)', th: 'ธนาคารกรุงศรีอยุธยา' },
  '030': { en: 'Government Savings Bank', th: 'ธนาคารออมสิน' },
  '033': { en: 'Government Housing Bank', th: 'ธนาคารอาคารสงเคราะห์' },
  '034': {
    en: 'Bank for Agriculture and Agricultural Cooperatives',
    th: 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร',
  },
  '066': { en: 'Islamic Bank of Thailand', th: 'ธนาคารอิสลามแห่งประเทศไทย' },
  '067': { en: 'TISCO Bank', th: 'ธนาคารทิสโก้' },
  '069': { en: 'Kiatnakin Phatra Bank', th: 'ธนาคารเกียรตินาคินภัทร' },
  '073': { en: 'Land and Houses Bank', th: 'ธนาคารแลนด์ แอนด์ เฮ้าส์' },
};

/** The name of a bank, as payers find it in their app; an unknown code stays as it is. */
export function bankNameOf(code: string, language: Language): string {
  return BANKS[code]?.[language] ?? code;
}
