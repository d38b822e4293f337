/** What is written somewhere, or was said before: "im Ticket steht, dass", "c'è scritto", "と書きました". */
const HEARSAY =
  /(?<!\p{L})d'après (?:le|la|les|vos?|votre|tes|ton|ta|son|leur)(?!\p{L})|(?:il )?(?:est|était) (?:écrit|indiqué|noté) que|votre (?:message|ticket|journal|log) (?:dit|indique)|(?:está|viene|aparece|pone) escrito|se lee que|(?:si legge|c'è scritto|è scritto|sta scritto)|(?:está escrito|lê-se|consta que)|steht(?:,| dass)|geschrieben,? dass|staat dat|geschreven dat|написано|написал[аи]?,? что|говорится|сказано|сообщал|(?:jest )?napisan[oey]|pisze, że|napisałe?m,? że|yazıyor|yazmıştım|yazdım|söylemiştim|と書かれ|と書いて|と書きました|とあり(?:ます|ました)|と言いました|とお伝え|写着|写道|写的|里说|中说|说过|라고 (?:적혀|쓰여|했|말|되어|나와|보고)|다고 (?:적혀|쓰여|되어|나와|보고|썼)/u;

/** From where on a sentence tells what others wrote: from its start in languages whose verb stands last. */
export function hearsay(text: string): number {
  const m = HEARSAY.exec(text);
  if (!m) return -1;
  return /[\u3040-\u30ff\uac00-\ud7af]|yaz|söyle/.test(m[0]) ? 0 : m.index;
}
