/**
 * Word stems of eleven languages by role. `_` is a space, a closing `.` ends the word, everything else is a prefix.
 * block: future, condition, order, expectation, foreign speaker, stale. In scripts without spaces a stem matches anywhere.
 */
export type Lexicon = Record<
  | 'stop'
  | 'tests'
  | 'build'
  | 'types'
  | 'lint'
  | 'good'
  | 'fail'
  | 'zero'
  | 'works'
  | 'used'
  | 'block'
  | 'neg'
  | 'gone',
  string
>;

const TOOLS =
  'test suite spec. specs. unit e2e ci. pipeline pytest jest vitest playwright cypress check. checks. job workflow shard smoke regression snapshot';
const BUILD = 'build bundle webpack vite docker image.';
const TYPES = 'typecheck type-check tsc. mypy pyright typescript typing';
const LINT = 'lint eslint ruff prettier biome clippy formatter pre-commit';
const GOOD = 'ok. okay. pass. passed. green.';

export const LEXICONS: Record<string, Lexicon> = {
  de: {
    stop: 'geklappt. klappt. typfehler. warnungen. linter. alles. übersetzt. gelaufen. beide. wieder. gut. sauber. tests_sind. keinerlei. sieht. ordnung. lokal. kein. keinen. einziger. fehl. mehr. schlägt. funktioniert. getestet. geprüft. gebaut. laufen. grün. bestanden. testlauf. fehler. fehlerfrei. erfolgreich. sauber. der. die. das. und. ist. ich. nicht. mit. den. ein. eine. auf. wird. sind. für. jetzt. habe. im. noch. alle. zu. bitte. keine. nach. von. aus. sich. dem. es. läuft. wurde. erst. bei. fertig. durch.',
    tests: `${TOOLS} prüf durchlauf lauf. testlauf testsuite testfälle testreihe szenarien einheit modultest integrationstest komponententest`,
    build: `${BUILD} übersetz kompil bau. projekt_baut baut. bauen. release-build gebaut`,
    types: `${TYPES} typprüf typen typfehler typüberprüf compiler typcheck`,
    lint: `${LINT} stilprüf formatprüf formatierung`,
    good: `übersetzt_wieder übersetzt_sauber übersetzt_ohne lief_sauber lief_ohne ging_durch gehen_durch geht_durch ${GOOD} grün bestanden bestehen. besteht. läuft_durch laufen_durch lief_durch liefen_durch durchgelaufen läuft. laufen. erfolgreich fehlerfrei fehlerlos sauber in_ordnung gelungen klappt klappen geklappt gut_durch glatt problemlos einwandfrei meldet_nichts melden_nichts meldet_keine findet_nichts findet_keine lässt_sich_bauen lässt_sich_übersetzen lassen_sich_bauen ohne_befund anstandslos gelingt zufrieden durch. stimmt stimmen passt. reibungslos tadellos nichts_zu_beanstanden nichts_zu_meckern nichts_auszusetzen beanstandet_nichts baut. kompiliert ist_still schweigt`,
    fail: 'fehler(?!frei|los) fehlgeschlag fehlschl scheiter rot. rote. roten. kaputt abgebroch absturz abstürz warnung problem(?!los) beanstand ausfall ausfäll ausnahme regression fällt_durch schlägt schlagen bricht brechen auffällig',
    zero: 'kein keine keinen keiner keinerlei ohne. null. 0. nichts. weder',
    works:
      'tut_wieder tut_jetzt geht_wieder geht_jetzt arbeitet_wieder arbeitet_korrekt arbeitet_einwandfrei läuft_wieder läuft_stabil läuft_rund sieht_richtig sieht_korrekt ist_korrekt sind_korrekt ist_richtig sieht_gut sehen_gut schaut_gut funktioniert funktionieren klappt läuft_wie arbeitet_wie verhält_sich_wie einsatzbereit voll_funktionsfähig wie_erwartet wie_gewünscht wie_vorgesehen wie_geplant tut_was einwandfrei',
    used: 'laufen_lassen durchlaufen_lassen neu_gestartet nachgesehen durchgetestet gegengetestet nachgemessen verglichen eingespielt installiert angemeldet durchprobiert durchgespielt durchgeklickt ausprobiert getestet geprüft überprüft nachgeprüft nachgestellt angeschaut angesehen gestartet aufgerufen verifiziert gegengeprüft nachvollzogen durchgegangen ausgeführt probiert',
    block:
      'läuft_noch laufen_noch sollte müsste dürfte könnte würde wird_ werden. wenn. sobald falls. bitte. bevor. ob. hoffentlich vermutlich wahrscheinlich voraussichtlich als_nächst nächst muss. müssen laut. behaupte gestern letzte_woche bisher. vorher. früher. vor_der vor_meiner angeblich erwarte. ich_erwart stelle_sicher prüfe. führe. lass. lasse. noch_zu offen. damit. um_zu erst_wenn gehe_davon geht_davon_aus vermute glaube denke. nehme_an annahme behauptet du_ ihr_ ihnen_ im_ticket solange würden bis. zuvor auf_main gemeldet_hatte ich_hatte_gesagt soll. plane wollte möchte kann_ich darf',
    gone: 'nicht_mehr',
    neg: 'nicht. nie. niemals kein keine keinen keiner weder noch_nie kaum. ungetestet ungeprüft getestet_ist_nicht unbestätigt',
  },
  fr: {
    stop: 'lancé. relancé. vérifiée. corrigé. complet. réussies. passés. échecs. avertissement. avertissements. vert. verte. compile. aucune. ajouté. j. nous. cette. ce. y. bien. ok_. ça. marche. marchent. réussis. résultat. échoué. vérifié. testé. fonctionne. complète. échoue. rien. réussi. réussie. échec. erreur. erreurs. verts. passent. compilation. le. la. les. de. d. l. et. est. des. une. un. du. dans. pas. je. avec. sur. pour. que. qui. au. aux. sont. tout. tous. ne. ont. à. il. en. toutes. toute. aucun. aucune. sans.',
    tests: `${TOOLS} essai vérification tests. intégration_continue batterie scénario campagne`,
    build: `${BUILD} compil construction empaquetage`,
    types: `${TYPES} types. typage vérificateur_de_types vérification_de_types vérification_des_types compilateur`,
    lint: `${LINT} analyse_statique formatage`,
    good: `correct. correcte. corrects. correctes. ${GOOD} passe. passent. passé. passée. passés. passées. vert. verte. verts. vertes. au_vert réussi réussis réussit aboutit aboutissent abouti succès propre. propres. ne_signale_rien rien_à_signaler sans_erreur sans_échec sans_accroc sans_problème sans_souci correctement ne_trouve_rien ne_remonte_rien valid se_termine_bien termine_sans impeccable bon. bons. bonne. ne_se_plaint se_compile compile. compilent. ras. satisfait silencieu content. contents. nickel à_jour_et_vert conforme`,
    fail: 'échec échou erreur rouge avertissement problème cass plant exception régression anomalie défaut souci accroc plante incident',
    zero: "aucun aucune zéro 0. sans. plus_d' plus_de pas_d' pas_de rien. pas_une pas_un",
    works:
      "répond_correctement réagit_correctement se_comporte_bien se_comporte_normalement est_stable remarche remarchent fonctionne fonctionnent marche. marchent. tout_est_vert tout_est_au_vert tout_passe opérationnel comme_prévu comme_attendu comme_voulu se_comporte_comme s'affiche_correctement parfaitement tout_est_bon",
    used: 'cliqué rejoué installé connecté comparé rouvert navigué envoyé mesuré déroulé testé essayé vérifié parcouru lancé relancé ouvert cliqué contrôlé exécuté démarré rejoué confirmé constaté',
    block:
      "tourne_encore tournent_encore en_cours devrait devraient pourrait si. s'il dès_que quand. lorsque une_fois avant. après_avoir_validé dit_que le_ticket veuillez merci_de vérifie. vérifiez lance. lancez exécutez assure prochaine demain pars_du_principe espère crois. pense. suppose normalement_devrait va_ vais. vont. allons sera. seront. passera passeront selon. prétend hier. semaine_dernière auparavant ancien attend il_faut reste_à à_faire tant_que jusqu afin pour_que tu_ vous_ doit. doivent je_croyais j'avais_dit j'ai_dit précédent sur_main probablement peut-être sans_doute faut. affirmait affirme peux-tu pouvez",
    gone: 'plus. ne_se_reproduit',
    neg: "ne. n' pas. jamais. aucun aucune non. ni.",
  },
  es: {
    stop: 'sigue. siguen. probada. fallos. pasando. pasó. corregí. corregido. ejecuté. ejecutado. entera. aparece. ningún. superados. superadas. compilan. sido. ahora. nuevo. hoy. funcionan. también. además. tipos. terminan. pasaron. ambas. esperaba. verificado. nada. encuentra. funciona. probado. prueba. compila. errores. avisos. pasado. ni. hecho. compilación. correctas. verde. pasan. errores. el. la. los. las. y. es. de. que. en. un. una. no. se. con. por. para. he. del. al. está. están. todo. todas. todos. sin. son. hay. lo. ya. cuando. ha. su. ningún. pruebas.',
    tests: `${TOOLS} prueba pruebas. batería casos. escenario integración_continua verificacion verificación`,
    build: `${BUILD} compil construcción empaquetado`,
    types: `${TYPES} tipos. tipado comprobación_de_tipos verificador_de_tipos comprobador_de_tipos de_tipo`,
    lint: `${LINT} análisis_estático formato.`,
    good: `${GOOD} pasan. pasa. pasaron. pasó. pasando. han_pasado ha_pasado en_verde verde verdes correct exitos éxito superad supera limpi sin_errores sin_fallos sin_problemas sin_incidencias satisfactor termina_bien no_reporta no_informa_de no_muestra no_da_err nada_que_señalar no_encuentra no_se_queja compila. compilan. bien. aprobad aprueba perfect conforme no_marca no_detecta`,
    fail: 'fall falla error errores rojo roja advertencia problem romp roto rota excepcion excepción aviso incidencia regresion regresión quej defecto',
    zero: 'ningún ninguna ninguno sin. cero 0. no_hay no_queda no_quedan nada. ni_un ni_una',
    works:
      'responde_bien responde_correctamente se_comporta_como se_comporta_bien se_ve_bien se_ve_correct es_estable anda_bien va_bien va_perfect va_bien es_correcto es_correcta son_correctos funciona funcionan funcionando como_se_esperaba como_esperado según_lo_esperado como_debe operativ correctamente perfectamente sin_problemas de_maravilla todo_en_orden',
    used: 'abrí cliqué pulsé instalé inicié reproduje comparé navegué recorrí envié repetí vuelto_a_ejecutar vuelto_a_probar vuelto_a_lanzar probado probé verificado verifiqué comprobado comprobé revisado_en recorrido abierto abrí ejecutado ejecuté lanzado reproducido confirmé confirmado navegado arranqué arrancado hice_clic probándolo',
    block:
      'en_curso en_marcha sigue_(?!pasa|verde|en_verde|compila|funciona|igual|todo|limp|bien|sin_) siguen_(?!pasa|verde|en_verde|compila|funciona|igual|todo|limp|bien|sin_) debería deberían podría si. cuando. en_cuanto una_vez antes. por_favor ejecuta. ejecute. comprueba. comprueben verifica. asegúr espero voy_a vamos_a va_a van_a pasará pasarán estará estarán según. ayer semana_pasada anteriormente doy_por confío supongo creo. falta. faltan pendiente próxim hasta_que mientras para_que tienes. deberá hay_que quiero. dijo dije afirma dice_que el_ticket la_incidencia tu_ en_main habría había quizá tal_vez probablemente seguramente siempre_que compruebe puedes podrías ejecutar_las',
    gone: 'ya_no',
    neg: 'no. nunca jamás ningún ninguna ninguno tampoco ni.',
  },
  it: {
    stop: 'passa. eseguiti. falliti. passati. superate. nessun. corretto. ancora. lanciato. rilanciato. verdi. funzionano. tipi. entrambe. entrambi. ok_. prova. aperto. build_riuscita. pulito. pulita. avviso. adesso. anche. più. stato. stata. sistemato. test_passano. vanno. continuano. passare. verificato. posto. completa. fallimenti. funziona. provato. compila. avvisi. tutte. riuscito. passano. riuscita. riesce. verde. errore. errori. prove. il. lo. la. i. gli. le. e. è. di. che. in. un. una. non. si. con. per. ho. del. della. nel. sono. tutto. tutti. ora. dopo. al. nessun. nessuna. dei. da. alla. superati. ha. senza.',
    tests: `${TOOLS} prova prove. verifiche controlli scenari casi_di`,
    build: `${BUILD} compilazione costruzione compila`,
    types: `${TYPES} tipi. di_tipo tipizzazione controllo_dei_tipi compilatore`,
    lint: `${LINT} analisi_statica formattazione`,
    good: `${GOOD} passa. passano. passat superat verde verdi. in_verde riuscit riesce successo pulit senza_errori senza_problemi senza_intoppi corrett a_posto non_segnala non_riporta non_rileva nulla_da_segnalare niente_da_segnalare continua_a_passare continuano_a_passare va_a_buon_fine buon_fine compila. compilano. bene. ok perfett tutto_bene liscio soddisfatt non_trova`,
    fail: 'fall error errori rosso rossi avvis problem rott eccezion regression warning anomali difett crash',
    zero: 'nessun nessuna nessuno senza. zero 0. non_dà non_ha_dato non_ci_sono non_c niente. nulla. più_alcun',
    works:
      'si_comporta_come si_comporta_bene risponde_bene risponde_correttamente va_tutto_bene gira_bene gira_senza è_stabile si_vede_bene si_vede_correttamente funziona funzionano funzionante come_previsto come_atteso come_dovrebbe correttamente perfettamente operativ tutto_a_posto regolarmente',
    used: 'aperta aperti rieseguita confrontato installato cliccando ripetuto inviato navigato effettuato_l provato verificato testato controllato_nel aperto cliccato eseguito rieseguito avviato percorso riprovato confermato rilanciato lanciato',
    block:
      'in_corso sta_ancora stanno_ancora dovrebbe dovrebbero potrebbe se. quando. appena. una_volta prima. per_favore esegui. eseguire lancia. verifica_che verificare controlla. assicur do_per_scontato immagino spero. credo. penso. presumo passerà passeranno sarà saranno sto_per farò secondo. ieri settimana_scorsa precedente in_precedenza che_hai hai_ si_legge resta_da restano da_fare prossim finché affinché bisogna devi. deve. devono voglio vorrei dichiarato dicevo avevo su_main probabilmente forse puoi potresti aspetto',
    gone: 'non_si_verific non_compar non_si_present non_.*più',
    neg: 'non. mai. nessun nessuna nessuno né.',
  },
  pt: {
    stop: 'verde. verdes. corrigi. corrigido. rodou. executados. aprovados. nenhuma. voltou. funcionou. funcionam. falha. erro. concluída. concluído. passando. completa. inteira. refiz. já. como. também. ambas. ambos. aviso. compilou. tipos. continuam. continua. passou. tudo. verifiquei. funciona. funcionando. testei. rodei. limpo. compila. avisos. testes. ainda. testes. compilação. sucesso. passaram. passam. erros. falhas. o. a. os. as. e. é. de. que. em. um. uma. não. se. com. por. para. do. da. no. na. está. estão. todos. todas. tudo. sem. foi. são. ao. eu. mas. dos. das. nenhum. agora. testes.',
    tests: `${TOOLS} suíte teste testes. bateria cenário casos_de verificações`,
    build: `${BUILD} compil construção empacotamento`,
    types: `${TYPES} tipos. tipagem verificação_de_tipos verificador_de_tipos checagem_de_tipos de_tipo`,
    lint: `${LINT} análise_estática formatação`,
    good: `compilou compilaram ${GOOD} passam. passa. passaram. passou. passando. verde verdes sucesso conclu sem_erro sem_falha sem_problema sem_aviso limpo limpa limpos corret aprovad êxito bem-sucedid nada_a_reportar nada_a_relatar não_reporta não_acusa não_aponta não_encontr não_reclama compila. compilam. bem. perfeit tudo_certo satisfeit`,
    fail: 'falh erro vermelh aviso problema quebr exceç regress defeito estour',
    zero: 'nenhum nenhuma sem. zero 0. não_mostra não_dá não_deu não_há não_houve nada. nem_um nem_uma',
    works:
      'responde_bem responde_corretamente se_comporta_como está_estável roda_bem rodando_bem roda_sem voltou_a_funcionar como_deveria como_devia funciona funcionam funcionando funcionou conforme_esperado como_esperado como_previsto corretamente perfeitamente operacion tudo_certo em_ordem normalmente',
    used: 'abri. cliquei instalei reiniciei repeti comparei enviei refiz_o_teste usei testei verifiquei conferi testado verificado_no abri cliquei executei rodei naveguei percorri reproduzi confirmei iniciei experimentei validei',
    block:
      'rodando em_andamento em_execução deve. devem. deveria deveriam deverá poderia se. quando. assim_que depois_que antes. por_favor execute. rode. verifique. confira certifique espero. vou. vamos. vai_ vão. passará passarão estará estarão segundo. ontem semana_passada anteriormente parto_do imagino acho. acredito suponho falta. faltam pendente próxim até_que enquanto para_que preciso desculpe disse afirm diz_que você seu_ na_main talvez provavelmente quero pretendo passavam tivessem havia teria passarem forem estiver',
    gone: 'não_ocorre não_aparece já_não não_acontece sumiu',
    neg: 'não. nunca jamais nenhum nenhuma tampouco nem.',
  },
  nl: {
    stop: 'groen. geprobeerd. compileert. typefouten. waarschuwingen. meldingen. linter. slaagde. alles. weer. goed. beide. uitgevoerd. opnieuw. klopt. gelukt. prima. zijn_geslaagd. ook. gemaakt. aangepast. gecontroleerd. lokaal. vindt. niets. werkt. getest. gedraaid. bouwt. slaagt. fout. mislukt. meldt. testen. geslaagd. slaagt. fouten. schoon. de. het. een. en. is. van. ik. niet. met. op. zijn. dat. in. voor. te. er. nog. alle. geen. heb. naar. bij. nu. zonder. wordt. worden. aan. door. rest. groen. slagen.',
    tests: `${TOOLS} testen. testreeks testrun scenario controles. proefdraai`,
    build: `${BUILD} compil bouw`,
    types: `${TYPES} typecontrole typefout types. type.`,
    lint: `${LINT} opmaakcontrole stijlcontrole`,
    good: `${GOOD} slaagt. slagen. geslaagd groen. groene. succesvol foutloos schoon. in_orde lukt. lukte gelukt goed. zonder_fout zonder_problem zonder_waarschuw meldt_niets meldt_geen liep_door loopt_door draait_door bouwt. compileert. klopt. kloppen. vindt_niets vlekkeloos probleemloos tevreden doorstaan niets_te_melden`,
    fail: 'fout(?!loos) fouten mislukt mislukk faal falen. faalt rood. rode. waarschuwing probleem(?!loos) problemen kapot crash uitzondering breekt storing',
    zero: 'geen. zonder. nul. 0. niets. geen_enkel',
    works:
      'doet_het draait_weer draait_stabiel draait_goed gedraagt_zich werkt werken. zoals_verwacht zoals_bedoeld zoals_het_hoort naar_behoren correct. foutloos vlekkeloos functioneert prima.',
    used: 'uitgevoerd geïnstalleerd vergeleken herhaald ingelogd opgestart afgespeeld laten_lopen laten_draaien nagelopen getest geprobeerd gecontroleerd uitgeprobeerd doorlopen geopend geklikt gedraaid gestart nagekeken doorgeklikt geverifieerd bevestigd bekeken',
    block:
      'loopt_nog lopen_nog draait_nog draaien_nog zou_ zouden moet. moeten kan. zal_ zullen als. zodra wanneer. indien. voordat. alsjeblieft graag. draai. controleer. zorg. ga_ervan ga_er_van hoop. hopelijk denk. (?<!zoals_)verwacht. verwachten waarschijnlijk misschien ga_ gaan. volgens. gisteren vorige eerder. voorheen nog_te volgende totdat tot. zolang opdat beweert wil_ je_ jouw jullie op_main word wordt_ worden. of. om_te zei. had_gezegd uitvoeren_en vermoed',
    gone: 'niet_meer',
    neg: 'niet. nooit geen. noch.',
  },
  pl: {
    stop: 'zielono. wszystko. przeszedł. przeszły. zaliczonych. zaliczone. brak. ostrzeżeń. bez_. poprawiłem. uruchomiłem. typów. błędów. działają. kompilacja. budowa. projekt. formularz. teraz. znowu. poprawnie. ukończone. wynik. zestaw. przechodzi. przechodzi. żaden. sukcesem. udana. działa. brak. sprawdziłem. kompiluje. czyste. zielony. błąd. testy. testów. budowanie. kompilacja. zielone. przeszły. przechodzą. błędów. linter. i. w. na. nie. się. jest. są. z. do. że. to. po. wszystkie. oraz. dla. już. od. jak. czy. ale. bez. za. przez. ręcznie. nowe. żadnych.',
    tests: `${TOOLS} testy. testów testowy zestaw scenariusz przypadk`,
    build: `${BUILD} kompil budowanie budowa. zbudował projekt_się`,
    types: `${TYPES} typów. typy. sprawdzanie_typów kontrola_typów`,
    lint: `${LINT} linter analiza_statyczna formatowanie`,
    good: `${GOOD} milczy milczą zgadza_się zgadzają_się się_zgadza się_zgadzają przechodz przeszł przeszed zaliczon zielon powodzeni zakończon powiodł powiodło sukces czyst bez_błęd bez_ostrzeż bez_problem bez_zastrzeż pomyślnie poprawn zakończył ukończ nie_zgłasza nie_wykazuj nie_znajduje kompiluje_się się_kompiluje się_buduje udan buduje_się udał udało w_porządku gotow bezbłędn`,
    fail: 'zawodzi niezaliczon błąd błęd nie_przechodz czerwon ostrzeż problem wyjąt padł pada. padaj zawiód zawiod awari niepowodz zepsut regresj nieudan',
    zero: 'żaden żadnych żadnego brak bez. zero 0. nie_ma nic.',
    works:
      'zachowuje_się_jak wyświetla_się_poprawnie jest_stabiln znowu_dział znów_dział chodzi_bez działa działaj zgodnie_z_oczekiwan jak_należy poprawnie prawidłowo bez_zarzutu tak_jak_powinn sprawnie',
    used: 'zalogował zainstalował porównał powtórzył wysłał otworzyłem puściłem odpalił sprawdzon przetestowan sprawdził przetestował uruchomił otworzył kliknął przeszedłem przeszłam zweryfikował wypróbował przeklikał potwierdził odtworzył',
    block:
      'w_toku trwa jeszcze_się powin gdy. kiedy jeśli jeżeli jak_tylko zanim. proszę uruchom. sprawdź upewnij zakładam mam_nadzieję chyba prawdopodobnie może. będzie będą przejdą przejdzie zamierzam wczoraj wcześniej poprzedni według zgodnie_z_twoim twierdz uważam myślę sądzę trzeba należy_ muszę musi następn dopóki aby. żeby czy. chcę zgłoszeni twoim powiedział na_main do_zrobienia pozostało został_do spodziewam oczekuję',
    gone: 'już_nie nie_występuje',
    neg: 'nie. nigdy żaden żadnych ani.',
  },
  tr: {
    stop: 'geçti. testlerin. hepsi. testin. uyarı. hatasız. düzelttim. çalıştırdım. yeniden. bütün. doğru. ediyor. oldu. linter. tip. temiz. derlendi. düzgün. tamamı. yok. iki. geçiyor. proje. denedim. çalışıyor. uyarısız. derleniyor. tamam. sorunsuz. hiçbir. başarılı. testleri. hatası. yeşil. temiz. derlendi. ve. bir. bu. için. ile. de. da. tüm. testler. değil. olarak. çok. ama. şimdi. sonra. her. geçti. var. yok. olan. hata. derleme. yeni. modülü. komutunu. testleri. tarayıcıda. kadar. önce.',
    tests: `${TOOLS} testler testleri sınama senaryo paketi kontroller`,
    build: `${BUILD} derleme derlen derle_ yapı. proje_derlen`,
    types: `${TYPES} tip. tür. tip_denetim tür_denetim tip_kontrol tür_kontrol tip_hata tür_hata`,
    lint: `${LINT} biçim_denetim stil_denetim`,
    good: `${GOOD} geçti geçiyor geçmekte başarılı başarıyla yeşil temiz sorunsuz hatasız tamamlandı. uyarısız derlenebiliyor sorun_yok bildirmiyor bulmadı bulamadı_hata`,
    fail: 'hata(?!sız) hatası(?!z) başarısız kırmızı uyarı(?!sız) sorun(?!suz) çök kırıl istisna bozuk',
    zero: 'yok. sıfır 0. hiç hiçbir yoktur vermedi vermiyor bulunmadı kalmadı olmadan çıkmadı',
    works:
      'kusursuz sağlıklı düzgünce gayet_iyi stabil yolunda doğru. çalışıyor çalıştı. beklendiği_gibi doğru_çalış düzgün sorunsuz olması_gerektiği',
    used: 'çalıştırıp oynadım giriş_yaptım kurdum karşılaştırdım tekrarladım gönderdim yükledim gezdim denedim test_ettim kontrol_ettim çalıştırdım açtım tıkladım doğruladım elle_ baktım başlattım sınadım',
    block:
      'sürüyor devam_ed gerek gerekir olmalı eğer zaman önce. lütfen çalıştırın çalıştır. kontrol_edin emin_ol varsayıyorum umarım sanırım muhtemelen belki olacak geçecek geçer. geçince geçerse edeceğim edeceğiz dün. geçen_hafta göre. iddia düşünüyorum bekliyorum sonraki ardından_birleş doğrulamak_için geçmeli geçtiğinde geçtikten ise. olursa mi. mı. mu. mü. söyledi demiştim istiyor diyor çalıştırmadan çalıştıracağım',
    gone: 'artık_yok artık_ol artık_görün kayboldu',
    neg: 'değil geçmiyor geçmedi çalışmıyor çalışmadı edilmedi çalıştırılmadı henüz başarısız olmadı. yapılmadı denenmedi çalıştırmadım',
  },
  ru: {
    stop: 'и',
    tests: `${TOOLS} тест проверк прогон набор сценар пайплайн конвейер`,
    build: `${BUILD} сборк компиляц билд собирается собрал собираются компилир`,
    types: `${TYPES} типов типам типы типизац проверка_тип компилятор`,
    lint: `${LINT} линт форматир статическ`,
    good: `${GOOD} проход прошл прошел прошёл пройден зелён зелен успеш удал чист без_ошибок без_замечан без_предупрежд без_проблем без_сбоев в_порядке собирается собираются завершил ничего_не_находит ничего_не_наш не_находит не_выда не_сообща молчит доволен корректно компилируется скомпилир`,
    fail: 'ошиб пад упал упали красн сбо(?!рк|рщ) предупрежд замечан проблем сломал исключен провал неудач не_проход',
    zero: 'не_наш не_обнаруж не_выяв нет. без. ни_од ноль 0. отсутству никаких ничего не_обнаруж не_найдено не_осталось',
    works:
      'правильно верно отображается_корректно ведёт_себя ведет_себя стабиль заработал исправен работает верный верная верные правильный работают как_ожидал как_надо как_задумано корректно исправно штатно как_положено без_нареканий',
    used: 'обновил_страниц сравнил повторил отправил установил вошёл вошел зашёл зашел перезагрузил нажал кликнул посмотрел_в_браузер проверил протестировал запустил прогнал открыл прошёлся прокликал испытал убедил попробовал воспроизв перезапустил подтвердил прошел_по',
    block:
      'ещё_ид ещё_выпол ещё_соб в_процессе должн когда. если. как_только после_того прежде пожалуйста запустите запусти. проверьте проверь. убедитесь убедись. предполага надеюсь вероятно возможно наверное может. будет будут пройдут пройдёт пройдет запущу сообщу вчера на_прошлой_неделе раньше ранее по_словам согласно утвержд думаю. считаю полагаю нужно. надо. осталось следующ пока_не чтобы. ли. в_вашем вашем у_вас вы_ в_логе сказал хочу до_изменен до_правк до_моих на_main ожида(?!лос|ли_и) планирую собираюсь соберу',
    gone: 'больше_не не_воспроизвод',
    neg: 'не. ни. никогда нельзя пока_не без_проверки непроверен',
  },
  ja: {
    stop: 'の',
    tests: `${TOOLS} テスト スイート 試験 検証 パイプライン シナリオ`,
    build: `${BUILD} ビルド コンパイル`,
    types: `${TYPES} 型チェック 型エラー 型検査 型の 型定義 型付け`,
    lint: `${LINT} リント リンター 静的解析 フォーマット`,
    good: `通過し 緑です 全部通 ${GOOD} 通過 成功 パス 合格 通っ 通り 通る グリーン 緑 クリーン 問題なく 正常 完了 無事 オールグリーン 通して`,
    fail: '再現 失敗 エラー 警告 問題 落ち 赤 不具合 例外 異常 クラッシュ 指摘 違反 リグレッション デグレ',
    zero: '0件 ゼロ件 なし 無し ありません なく ゼロ 0件 0. ない なかった 0個 出ていません 出ません ０ 見つかりません 起きません 発生しません 発生していません 起きていません 検出されません',
    works:
      '動くことを 動作に問題 動いた 動作良好 表示され 復旧し 安定して 動作する 動作し 動作を 動きます 動いて 機能し 正しい 期待どおり 期待通り 想定どおり 想定通り 正しく 問題なく 正常に 意図どおり 意図した 正常です',
    used: 'クリックし ログインし インストールし 比較し 送信し 再起動し 押して 開いて 繰り返し アップロードし 流して 回し 再実行 確認しました 確認済 手動 ブラウザ 実行し 試し 触っ 操作し 起動し 動かし 確かめ 実機 検証しました 再現手順 叩い',
    block:
      '実行中 走って 待ち はず 予定 でしょう てください 下さい 場合 たら れば ましょう つもり 思います 思われ かもしれ 以前 昨日 前回 先週 によると とのこと お願い これから 次に まで 後に 前に 必要が たい ですか ますか べき ようにし ために 期待され と言い 見込み 変更前 修正前 貼って いただいた だそう らしい と述べ 未実行 未確認 してから 報告しました 申し訳',
    gone: 'なくなり',
    neg: 'ていません ません ない 未 できず せず ておらず おらず なかった まだ',
  },
  zh: {
    stop: '的',
    tests: `${TOOLS} 测试 測試 用例 流水线 套件 检查 單元 场景`,
    build: `${BUILD} 构建 編譯 编译 打包 建置 構建`,
    types: `${TYPES} 类型 型別 類型`,
    lint: `${LINT} 静态检查 代码检查 规范检查 格式检查 格式化`,
    good: `${GOOD} 通过 通過 成功 绿 綠 正常 无误 無誤 干净 顺利 全过 完成 跑通 过了 没有报 没报 未报 全部跑完 跑完`,
    fail: '复现 失败 失敗 错误 錯誤 报错 警告 问题 問題 异常 異常 红 崩溃 告警 缺陷 违规 回归',
    zero: '没有 沒有 无 無 0. 零 未发现 未出现 不再 没 未见 ０',
    works:
      '如期 稳定 一致 能用 可用了 好使 恢复正常 显示正确 正常 一切正常 运行正常 工作正常 符合预期 如预期 按预期 可以正常 完全可用 运行良好 没问题 沒問題 正确 正確 都好使',
    used: '重启 重啟 登录了 点了 安装了 比对 对比了 上传了 发送了 重新运行 重跑 再跑 复测 回归了 手动 浏览器 瀏覽器 跑了 运行了 试了 试过 测了 测过 验证了 验证过 确认 走了一遍 执行了 启动 点击 实测 复现 亲自 打开',
    block:
      '正在 还在 仍在 应该 應該 如果 若 请 請 将会 将要 准备 等 之后再 等待 一旦 可能 大概 预计 希望 接下来 下一步 之前 昨天 上周 据说 据称 据他 据你 据您 说 说是 声称 需要 吗 嗎 是否 以便 确保 打算 计划 才能 当 您 你 修改前 改动前 会通过 就会 待 以前 上次 要不要 道歉 抱歉 假设 估计 想必 以为 尚 报告称 建议 后再 后即可',
    gone: '不再 没有再 不会再',
    neg: '没有 沒有 未 不 没 尚未 还没 無法 无法 别',
  },
  ko: {
    stop: '이',
    tests: `${TOOLS} 테스트 스위트 파이프라인 시나리오 검사 개_중`,
    build: `${BUILD} 빌드 컴파일`,
    types: `${TYPES} 타입 형식_검사`,
    lint: `${LINT} 린트 린터 정적_분석 포맷`,
    good: `${GOOD} 통과했 컴파일됩 빌드됩 통과합 통과됐 통과되었 통과하였 통과. 통과하고 통과했고 통과하며 성공했 성공합 성공적 성공. 성공이 초록 녹색 그린 정상 깨끗 문제없 이상_없 완료되었 완료됐 무사히`,
    fail: '실패 오류 에러 경고 문제 빨간 예외 충돌 이상. 이상이 이상은 깨지 깨진 회귀',
    zero: '없습니다 없이 없음 없었 없고 없다 없어 0. 0개 0건 영_개 없는 나오지_않 발생하지_않 보이지_않',
    works:
      '안정적 문제없이 올바르게 잘_동작 잘_작동 잘_돌아 정상_동작 정상_작동 정상입니다 작동합 모든_것이_정상 작동하 작동했 동작합 동작하 동작했 올바릅 올바르 예상대로 기대한_대로 의도한_대로 의도대로 정상적으로 제대로 잘_되',
    used: '클릭해 로그인해 설치해 비교해 재시작 다시_실행 다시_돌 업로드해 전송해 재현해 확인했 확인하였 테스트했 테스트해_보 실행했 실행해 눌러 열어 시도했 브라우저 직접 수동 검증했 돌려_보 돌렸 띄워',
    block:
      '실행_중 진행_중 중입니다 것입니다 예정 겠습니다 하면 면_ 되면 려면 해야 주세요 바랍니다 까요 는지 같습니다 아마 어제 이전 지난 따르면 다고_합 다고_했 다고_말 계획 위해 때까지 후에_ 전에 하십시오 필요 다음 예상됩 예상합 기대합 추정 가정 변경_전 수정_전 죄송 보고했 돼야 되어야 드릴 하려 한다면',
    gone: '더_이상 사라졌',
    neg: '지_않 못했 못합 안_ 아직 않았 않습 실패 못하 없어서 없이는',
  },
};
