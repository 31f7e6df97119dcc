"""The lists themselves, one text a language. Contractions stand without their apostrophe.

Words that say what a question asks for (who, when, how many) are among them; words with a
meaning of their own (use, need, new) are not.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "en": """a about above after again against all also am an and another any are arent as at be
because been before being below between both but by can cannot cant could couldnt did didnt do
does doesnt doing done dont down during each either etc ever every few for from further had
hadnt has hasnt have havent having he her here heres hers herself him himself his how hows i if
im in into is isnt it itll its itself ive just let many me might more most much must mustnt my
myself neither no nor not of off often on once one only or other ought our ours ourselves out
over own per quite rather really same shall shant she should shouldnt since so some such than
that thats the their theirs them themselves then there therefore theres these they theyre theyve
this those though through thus to too toward towards under until unto up upon us very via was
wasnt we were werent weve what whatever whats when whenever where wheres whether which whichever
while who whom whos whose why will with within without wont would wouldnt yet you your youre
yours yourself yourselves youve""",
    "de": """ab aber alle allem allen aller alles als also am an ander andere anderem anderen
anderer anderes auch auf aus bei beim bereits bevor bin bis bist da dabei dadurch dafür dagegen
daher dahin damals damit danach daneben dann daran darauf daraus darf darfst darin darüber darum
darunter das dass daß davon davor dazu dein deine deinem deinen deiner deines dem demselben den
denen denn dennoch der deren derer derselbe des deshalb dessen desto dich die dies diese
dieselbe dieselben diesem diesen dieser dieses dir doch dort du durch dürfen ein eine einem
einen einer eines einige einigem einigen einiger einiges einmal er es etwa etwas euch euer eure
eurem euren eurer für gegen gewesen gibt gab ging habe haben hat hatte hatten hattest hattet
hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins ist ja
je jede jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes jetzt kann kannst
kein keine keinem keinen keiner keines können könnte konnte konnten machen man manche manchem
manchen mancher manches mehr mein meine meinem meinen meiner meines mich mir mit möchte muss muß
müssen musste nach nachdem neben nicht nichts nie niemand noch nun nur ob obwohl oder oft ohne
sehr sein seine seinem seinen seiner seines seit selbst sich sie sind so sobald sogar solche
solchem solchen solcher solches soll sollen sollte sollten somit sondern sonst soweit sowie über
um und uns unser unsere unserem unseren unserer unseres unter viel viele vielen vom von vor
während wann war waren warum was wegen weil weiter welche welchem welchen welcher welches wem
wen wenig weniger wenn wer werde werden wessen wie wieder wieso wieviel will wir wird wirst wo
wobei wodurch wofür woher wohin wollen wollte womit woran worauf woraus worden worin worüber
wozu wurde wurden würde würden zu zum zur zwar zwischen""",
    "fr": """à afin ai aie aient ainsi alors après as au aucun aucune aujourdhui auquel aura
auraient aurait aussi autre autres aux auxquelles auxquels avaient avais avait avant avec avez
avoir avons ayant beaucoup bien c ça car ce ceci cela celle celles celui cependant certains ces
cet cette ceux chaque chez ci comme comment d dans de depuis des desquels dès dois doit doivent
donc dont du duquel durant elle elles en encore entre es est et étaient étais était étant été
être eu eut eux fait faire faut font furent fut il ils j je jusqu jusque l la laquelle le lequel
les lesquelles lesquels leur leurs lors lorsque lorsqu lui là m ma mais malgré me même mêmes mes
mien moi moins mon n ne ni non nos notre nous on ont ou où par parce parmi pas pendant peu peut
peuvent plus plusieurs pour pourquoi pourrait puis puisque qu quand quant que quel quelle
quelles quelque quelques quels qui quoi quoique sa sans se sera seraient serait seront ses si
sien soi soient sois soit sommes son sont sous suis sur t ta tandis tant te tel telle telles
tels tes toi ton toujours tous tout toute toutes très trop tu un une va vers voici voilà vos
votre vous vu y""",
    "es": """a acá ahí al algo alguien algún alguna algunas alguno algunos allí ambos ante antes
aquel aquella aquellas aquellos aquí así aun aún aunque bajo bien cada casi como cómo con contra
cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto
cuantos cuántos cuya cuyo da de debe deben del desde después donde dónde dos durante e el él
ella ellas ello ellos en entonces entre era eran eras eres es esa esas ese eso esos esta está
ésta estaba estaban estado están estar estas éstas este éste esto estos éstos estoy fue fueron
fui fuera ha había habían haber hace hacen hacer hacia han has hasta hay haya he hecho hemos
hizo incluso la las le les lo los más me mi mí mía mientras mío mis misma mismas mismo mismos
mucha muchas mucho muchos muy nada ni ningún ninguna ninguno no nos nosotras nosotros nuestra
nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco podía por porque
porqué pueda puede pueden pues qué que quien quién quienes quiénes sea sean según ser si sí sido
siempre sin sino sobre sólo solo somos son soy su sus suya suyo tal también tampoco tan tanto te
tener tenía ti tiene tienen todas todavía todo toda todos tras tu tú tus tuvo u un una unas uno
unos usted ustedes va van vosotros vuestra vuestro y ya yo""",
    "it": """a abbia abbiamo ad agli ai al alcuna alcune alcuni alcuno all alla alle allo allora
altra altre altri altro anche ancora anch aveva avevano avere avete avrà bene c che chi ci
ciascuno cioè coi col com come con contro cosa così cui d da dagli dai dal dall dalla dalle
dallo degli dei del dell della delle dello dentro di dopo dove dov dovrebbe due durante e è ebbe
ed egli ella era erano essa esse essere essi esso fa fanno fare fatto fin fino fra fu furono già
gli gl ha hai hanno ho i il in infatti invece io l la là le lei li lo loro lui ma mai me meno
mentre mi mia mie miei mio molta molte molti molto ne né negli nei nel nell nella nelle nello
nessun nessuna nessuno niente no noi non nostra nostre nostri nostro o od ogni oltre ora per
perché perciò però più poco poi può possono prima pure qual quale quali qualche qualcosa quando
quanta quante quanti quanto quasi quegli quei quel quell quella quelle quelli quello quest
questa queste questi questo qui quindi sarà sarebbe se sei sempre senza si sì sia siamo siano
siete solo sono sopra sotto sta stata state stati stato stesso su sua sue sugli sui sul sull
sulla sulle sullo suo suoi tale tali tanto te ti tra tu tua tue tuo tuoi tutta tutte tutti tutto
un una uno v va verso vi voi vostra vostro""",
    "pt": """a à acerca agora ainda além algo alguém algum alguma algumas alguns ali ambos ante
antes ao aos apenas após aquela aquelas aquele aqueles aquilo as às assim até através cada com
como contra contudo cuja cujo da daquela daquele dar das de dela delas dele deles depois desde
dessa desse desta deste deve devem do dos durante e é ela elas ele eles em embora enquanto então
entre era eram és essa essas esse esses esta está estamos estão estar estas estava estavam este
estes estou eu faz fazer fez foi fomos for foram fosse há havia isso isto já lá lhe lhes lo logo
mais mas me menos mesma mesmo meu meus minha minhas muita muitas muito muitos na nada não nas
nem nenhum nenhuma nessa nesse nesta neste ninguém no nos nós nossa nossas nosso nossos num numa
nunca o onde os ou outra outras outro outros para pela pelas pelo pelos per perante pode podem
pois por porém porque porquê pouco poucos pra própria próprio qual quais qualquer quando quanta
quantas quanto quantos quase que quê quem se seja sejam sem sempre sendo ser será serão seu seus
si sido sim só sob sobre sua suas são também tampouco tanto te tem têm tendo tenha tenho ter teu
teus teve tinha tinham toda todas todavia todo todos tu tua tuas tudo um uma umas uns vai você
vocês vos vós""",
    "nl": """aan al alle alleen alles als altijd ander andere anders ben bij daar daarna daarom
dan dat de deze die dit doch doen door dus een één eens elk elke en er erg geen geweest haar had
hadden heb hebben hebt heeft hem het hier hij hoe hoeveel hun iemand iets ik in indien is ja je
jij jou jouw jullie kan kon konden kunnen maar mag me meer men met mij mijn misschien moest moet
moeten mogen na naar naast niemand niet niets niks nog nooit nu of om omdat onder ons onze ook
op over reeds samen sinds sommige te tegen tenzij terwijl tijdens toch toen tot tussen u uit uw
van vanaf veel vele vanwege voor vooral waar waarbij waardoor waarin waarom waarop waarvan
wanneer want waren was wat we weer wel welk welke werd werden wie wiens wij wil wilde word
worden wordt zal ze zei zelf zelfs zich zij zijn zo zoals zonder zou zouden zoveel zulke""",
    "sv": """alla allt alltid andra annan annat att av bara bland blev bli blir blivit borde
både där därför de dem den denna dennes deras dess dessa det detta dig din dina dit ditt dock du
då efter eftersom ej eller emot en er era ert ett fick finns fler flera från få får för före
genom gör ha hade han hans har hennes henne hon honom hur i icke in inga ingen inget innan inom
inte ja jag ju kan kom kommer kunde kunna man med medan mellan men mer mest mig min mina mitt
mot mycket måste ni nog nu någon något några när och också om oss på redan samma sedan sig sin
sina sitt själv ska skall skulle som så sådan sådana sådant till trots två under upp ur ut utan
vad var vara varför varit varje vars vart vem vems vi vid vilka vilkas vilken vilket vill väl än
ännu är åt över""",
    "da": """ad af aldrig alle alt altid anden andet andre at bare begge blandt blev blive
bliver da de dem den denne der deres derfor det dets dette dig din dine disse dit dog du efter
ej eller en end endnu er et få får fik flere for fordi fra før gennem gør ha havde han hans har
hende hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår
i ikke ind inden ingen intet ja jeg jer jeres jo kan kom kommer kunne man mange med meget mellem
men mens mere mest mig min mine mit mod må måtte nej ned nogen noget nogle nok nu når og også om
op os over på sammen samme samt selv siden sig sin sine sit skal skulle som så sådan thi til
under ud uden var ved vi vil ville vor vores være været""",
    "no": """alle alt altså andre annen annet at av bare begge ble bli blir blitt både da de deg
dei deim deira dem den denne der dere deres derfor det dette di din disse ditt du då eg ein eit
eitt eller en enda enn er et ett etter for fordi fra får før gjennom gjør ha hadde han hans har
henne hennes her hit hjå ho hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor hvorhen i
ikke ikkje ingen ingi inkje inn inni ja jeg kan kom korleis korso kun kunne kva kvar kvarhelst
kven kvi kvifor man mange med medan meg meget mellom men mens mer mest mi min mine mitt mot
mykje må måtte ned no noe noen noka noko nokon nokor nokre nå når og også om opp oss over på
samme seg selv si sia sidan siden sin sine sitt sjøl skal skulle slik som so somme somt så sånn
til um under upp ut uten var vart varte ved vere verte vi vil ville vore vors vort vår være vært
å""",
    "fi": """aina ainakin alla alle asti edes eikä ei eivät eli elleivät ellei emme en enemmän
ennen ensi enää et ette että haluaa he heidän heidät heihin heille heillä heiltä heissä heistä
heitä hän häneen hänelle hänellä häneltä hänen hänessä hänestä hänet häntä ihan ilman itse ja jo
johon joiden joihin joilla joille joina joissa joista joita joka jolla jolle jolloin jolta jona
jonka jos jossa josta jota jotka jotta juuri jälkeen kaikki kanssa kautta ken keneen kenelle
kenen kenet ketkä ketä koko koska kuin kuinka kuka kukin kun kuten lisäksi luona lähellä me
meidän meidät meille meillä meitä mihin miksi mikä mille millä milloin miltä minkä minne minun
minut minua minä missä mistä miten mitkä mitä mm mukaan mutta muu muut muuta myös myöten n ne
niiden niihin niille niillä niin niissä niistä niitä noin nuo nyt näiden näihin näille näissä
näistä näitä nämä ole olen olet olette oli olimme olin olisi olisivat olit olivat olla olleet
ollut on onko ovat paljon pitäisi pitää poikki se sekä sen siellä siihen siinä siitä siksi sillä
sille siltä sinun sinut sinua sinä sitten sitä ssa sta taas tai te teidän teille teitä tämä
tämän tässä tästä tätä tähän tuo tuon tuossa tänne vaan vai vaikka vain vielä voi voidaan voivat
vuoksi yli ympäri""",
    "hu": """a abban ahhoz ahogy ahol aki akik akkor alatt által általában amely amelyek
amelyekben amelyeket amelyet amelynek ami amikor amit amíg annak arra arról át az azok azon
azonban azt aztán azután azzal azért be belül benne bár cikk csak de e eddig egész egy egyes
egyetlen egyéb egyik egyre ekkor el elég ellen elő először előtt emilyen én ennek erre ez ezek
ezen ezt ezzel ezért és fel felé ha hanem hiszen hogy hogyan hol honnan hova igen így illetve
ilyen ilyenkor is ismét itt jó jól jobban kell kellett keresztül ki kívül között közül le
legalább legyen lehet lehetett lenne lenni lesz lett maga magát majd már más másik meg még
mellett mert mely melyek melyik mennyi mi miatt miért mikor milyen minden mindig mint mintha mit
mivel most nagyon ne néha neki nekik nélkül nem nincs ő ők őket olyan ott össze pedig persze rá
s saját sem semmi sok sokkal számára szemben szerint szinte talán te tehát teljes több többek
tovább továbbá új úgy ugyanis után utána vagy vagyis valaki valami való van vannak vele vissza
viszont volna volt voltak voltam""",
    "pl": """a aby ach acz albo ale ależ ani aż bardziej bardzo bez bo bowiem by być był była
było były będzie będą cali cała co cokolwiek coś czasem czasami czemu czy czyj czyli daleko dla
dlaczego dlatego do dobrze dokąd dość dwa gdy gdyby gdyż gdzie gdzieś go i ich ile im inna inne
innego innych inny iż ja jak jakaś jaki jakie jakich jakiej jako jakoś je jeden jedna jednak
jedno jego jej jemu jest jestem jeszcze jeśli jeżeli już ją każda każdy kiedy kilka kim kto ktoś
która które którego której który których którym którzy ku lecz lub ma mają mam mi mimo między
mną mnie mogą moi moim moja moje może można mój mu my na nad nam nami nas nasi nasz nasza nasze
natychmiast nawet nic nich nie niech nią nigdy nim nimi niż no o obok od około on ona one oni
ono oraz owszem pan pod ponad ponieważ potem powinien powinna po poza prawie przed przede przez
przy raz są sam się skąd sobie swoje swój ta tak taka taki takie także tam te tego tej temu ten
teraz też to tobie tobą toteż trzeba tu tutaj twoje twój ty tych tylko tym tzw u w was wasz we
według wiele wielu więc wszyscy wszystkich wszystkie wszystko właśnie wy z za zapewne zawsze ze
żaden że żeby""",
    "cs": """a aby ač ačkoli ale anebo ani ano asi aspoň až bez beze bude budem budou budu by
byl byla byli bylo byly bych bys být co což cože či čí další dle do dokud dnes ho i já jak jaká
jaké jakmile jako jaký je jeden jedna jedno jeho jej její jejich jen jenom jenž ještě jestli
jestliže ji jí jich jim jimi jinak jiné již jsem jsi jsme jsou jste k kam každý kde kdo kdy když
ke kolik kromě která které kterého kterou který kteří ku kvůli mají má mám máme mě mezi mi mimo
mít mně mnou mnoho mohl mohou mohu moje moji most může my na nad nade nám námi naproti náš naše
nás ne nebo nebyl nebyla něco nechť někdo nějaký není než nic nich ním nimi o od ode on ona oni
ono ony pak po pod podle pokud pouze právě pro proč proto protože před přede přes přese při s se
sem si skoro smí snad spolu sta svá své svého svůj svých ta tady tak takhle také takže tam tato
tě tedy té téměř ten tento teto ti tím tisíce to tobě tohle toho tom tomto tomu toto trochu tu
tuto tvá tvé tvůj ty tyto u už v vám vás váš vaše ve vedle velmi více však vše všechno všichni
vy z za zač zda zde ze že""",
    "ro": """a acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste
acestea aceşti acești acolo acum adică ai aici al ale alt alta alte altul am ar are as astfel
asupra aş aș atunci au avea avem aveţi aveți avut azi ca că căci când care cărei căror cărui cât
câte câtă câţi câți ce cea ceea cei cel cele celor ceva chiar ci cine cineva cu cum cumva da
dacă dar dată de deci deja deoarece departe deşi deși despre din dintr dintre doar după ea ei el
ele era erau este eşti ești eu face fără fi fie fiecare fii fim fiind fost foarte i ia iar îi îl
îmi în înainte înapoi încât încă între într îşi își îţi îți la le li lor lui lângă mai mea mei
mele mereu meu mi mine mult multă mulţi mulți ne nici nimeni nimic niște nişte noastră noastre
noi nostru noştri noștri nouă nu o oare ori orice oricare oricât oricine oricum până pe pentru
peste poate pot prea prin printr s sa să săi sale sau său se si și şi sub sunt suntem spre sus
ta tale te ţi ți tine toată toate tot toţi toți totuşi totuși tu tuturor un una unde undeva unei
unele unor unu unui unul v va vă vei voastră voi vom vor vostru vreo vreun""",
    "tr": """acaba ama ancak arada artık aslında ayrıca az bana bazen bazı bazıları belki ben
benden beni benim beri bile bin bir birçok biri birkaç biz bizden bize bizi bizim böyle böylece
bu buna bunda bundan bunlar bunları bunların bunu bunun burada bütün çok çoğu çünkü da daha dahi
de değil defa diğer diye dolayı eden ederek edilen ediyor eğer en etti gibi göre hâlâ hangi
hatta hem henüz hep hepsi her herhangi herkes hiç için içinde ile ilgili ise işte kaç kadar
kendi kendine kendini ki kim kimden kime kimi kimin kimse mı mi mu mü madem nasıl ne neden nerde
nerede nereye neyi niçin niye o olan olarak oldu olduğu olduğunu olmak olması olsa olup olur on
ona ondan onlar onlardan onları onların onu onun orada oysa öyle pek rağmen sadece sanki sen
senden seni senin siz sizden sizi sizin sonra şey şeyler şimdi şöyle şu şuna şunda şundan şunlar
şunu tarafından tüm var vardı ve veya ya yani yapılan yapmak yerine yine yoksa zaten""",
    "id": """ada adalah agar akan akhirnya aku anda antara apa apabila apakah atas atau
bagaimana bagi bagian bahkan bahwa baik banyak bawah beberapa begitu belum berapa berikut
bersama biasa bila bisa boleh bukan dalam dan dapat dari daripada demikian dengan depan di dia
diri dua dulu engkau guna hal hanya harus hingga ia ialah ini itu jadi jika juga justru kali
kalau kami kamu kapan karena ke kebanyakan kemudian kenapa kepada kembali ketika kita kok lagi
lain lalu lebih maka mana masih masing mau melainkan melalui memang memiliki mengapa mengenai
menjadi menurut mereka merupakan meski meskipun mu mungkin namun nanti nya oleh pada padahal
para pernah pula pun saat saja sama sampai sana sangat satu saya sebab sebagai sebelum sebuah
secara sedang sedangkan sehingga sejak sekarang sekitar selain selalu selama seluruh semua
sementara seorang seperti sering serta sesuatu sesudah setelah setiap siapa sini suatu sudah
supaya tanpa tapi telah tentang tentu terhadap termasuk tersebut tetapi tidak untuk yaitu yakni
yang""",
    "ca": """a abans això al algun alguna algunes alguns als altra altre altres allà allò amb
aquell aquella aquelles aquells aquest aquesta aquestes aquests aquí així bé cada com contra d
dalt de del dels des després doncs dos durant e el ell ella elles ells els em en encara entre
era eren eres es és esta està estan estar estat et etc fa fer fet fins fou ha han has havia he
hem heu hi ho i igual inclòs ja jo l la les li llavors llur lo més m ma mal malgrat mateix
mateixa me mentre meu meva mi mitjançant molt molta moltes molts mon n ne ni no nogensmenys nos
nosaltres nostra nostre o on pel pels per però perquè poc pocs poden podria pot propi qual quals
qualsevol quan quant quanta quantes quants quasi que què quelcom qui quin quina quines quins s
sa se segons sense ser serà ses seu seus seva seves si sí sigui sinó sobre sols són sota soc sóc
t també tan tant tantes te tenir té tenen teu teva ti tot tota totes tots tu tua un una unes uns
us va vam van vaig vas venir vora vos vosaltres vostra vostre""",
    "eo": """al aliaj alia aliu ankaŭ ankoraŭ antaŭ apud aŭ ĉar ĉe ĉi ĉia ĉial ĉiam ĉie ĉiel ĉio
ĉiu ĉiuj ĉirkaŭ ĉu da de dum do eble ekster el en ĝi ĝia ĝin ĝis ha havas havis ili ilia ilin
inter ja jam je jen jes jus ju kaj ke kia kiaj kial kiam kie kiel kies kio kion kiom kiu kiuj
kiun krom kun kvankam kvazaŭ la laŭ li lia lin malgraŭ mem mi mia min minus ne nek neniam neniu
nenio ni nia nin nu nun nur ol oni per plej pli plu plus po por post povas preskaŭ preter pri
pro se sed sen ŝi ŝia ŝin si sia sin sub super sur tamen tia tial tiam tie tiel ties tio tion
tiom tiu tiuj tiun tra trans tre tro tuj unu vi via vin estas estis estos estus esti""",
    "et": """aga ainult all alla alles alt edasi eel eest ega ehk ei ent enam enda enne et ette
ehkki hiljem igas iga igal iseenda ise ja jah järel järele jne jooksul juba jälle just juures ka
kas keda kelle kellel kes kogu kohal koos kui kuhu kuid kuidas kuigi kuna kuni kus kust kõige
kõigi kõik küll läbi ma mida mille millal milles millest mis miks minu mina mind mingi mitte
mitu me meid meie midagi muu mulle mu mõned mõni need neid neil neist nende nendes nii niisugune
ning no nt nüüd oleks oled olema olen oli olid olla olnud oluline oma on pea peab peale peaks
pole pärast rohkem sa samuti sai saab saaks sama see seda seega seejuures seal selle sellel
selles sellest selline sest siin siis siiski sinu sina sind ta taga tagasi talle tal tavaliselt
teda te teid teie teine teise tema tuleb veel vaid vahel vastu veidi võib või välja ära üks ühe
üle ümber""",
    "eu": """al anitz arabera asko aurrera aurretik baina baino bakarrik bat batean batek baten
bere beren beste bezala bi bitartean da dago daude del den dela dio du dute dut ditu dituzte
dira diren duen egin egiten ere eta ez edo egon gabe gain gero gisa gu guk gure guztiak guzti
hain haiek haiekin haien hala hango hari han hau hauek hauetan hemen hona honek honela hor hori
horiek horrek horrela horren horretan hura izan izango izaten ni nik nire nola non nondik nongo
nor nora nork noiz ondoren oso orain oraindik ordea zein zen zer zergatik zerbait zenbat ziren
zituen zion zu zuek zuen zuk zure""",
    "ga": """a ach ag agus aige aici acu agam agat againn agaibh an aon ar arna as atá ba beirt
bhí bhúr caoga ceathair cad cathain cé cén cá cár conas chomh chuig chun cois d dá dár de déag
den deich do don dtí du faoi fara go gan gach gur i iad idir in inár is isteach lár le leis lena
lenár m mar mé mo muid na nach naoi nár ní níl níor nó nócha nuair ó ocht on os roimh sa san sé
seo sí siad sibh sin sinn síos sna tá tar thar thart tríd trí tú um ár é í""",
    "lt": """ant apie ar arba aš be bei beje bet bus buvo buvau būti būtų dar dažnai dėl daug
gal gali galima iki ir iš ištisai į ja jai jam jau ją ji jie jiems jis jo joje jog jos jų juk
jūs jūsų kad kada kadangi kai kaip kam kas katra katrie katris kiek kiekviena kiekvienas kita
kiti kito kitas kodėl koks kokia kokie kol ko ku kuo kur kuri kuria kurie kurio kurios kuris
kurių kurį lig link man mane manęs mano mes mūsų nebe negu nei nes net netgi nors nuo o per
pagal pas paskui pat pats po prie prieš pro savo save sau savęs su sulig šalia ši šiai šie šio
šios šis šiuo šių šį ta tačiau tad tai taip taigi tam tarp tas tave tau tavo tą te ten tie tiek
tik to todėl toks tokia tokie tos tu tų už vėl vien viena vienas vis visa visas visi viso visų
virš yra""",
    "st": """a ba bane bao bo bona bohle di dia e eaba eane eo esele ena fela ha haholo hae hang
hape hare ho hobane hore hona jwale jwaloka jwang ka kapa ke kea keng kgotsa kahoo ko la le leha
lena leng lona mang me mme mo moo na nako ne neng ntle o oa oo pele rona sa se sena sefe tse tsa
tsena tsohle tsoha wa wena ya yena yona yane""",
    "sr": """a ako ali bi bez bih bila bile bili bilo bio biti bismo biste blizu bude budu će
ćemo ćete ćeš ću da dakle do dok duž ga gde gdje hoće hoćemo i iako ih ili im ima imaju ispod
između iza iznad iz ja jedan jedna jedno je jer jesam jeste jesu joj još ju k kad kada kako
kakav kao ko koga koja koje kojeg koji kojih kojim kojoj koju kolika koliko kome kroz li me među
mene meni mi mimo mnogo moj moja moje može mogu mu na nad nakon nam nama nas naš naša naše ne
nego neka neki neko nekog neću neće nešto ni nije nikad niko nisam nisu nju njega njegov njegova
njegovo njemu njen njih njihov njima njoj o od odmah on ona oni ono ova ovaj ove ovo ovog ovoj
ovu pa pak po pod pored posle pre preko prema pri pro radi s sa sam samo se sebe sebi si smo ste
sto su sve svi svog svoj svoja svoje ta tada taj tako takođe te tebe tebi ti to toga toj tom
tome tu tvoj u uz vam vama vas vaš već veoma vi vrlo za zar zašto zbog što šta а ако али би без
бих била биле били било био бити бисмо бисте близу буде буду ће ћемо ћете ћу да дакле до док га
где гдје и иако их или им има имају испод између иза изнад из ја један једна једно је јер јесам
јесте јесу јој још ју кад када како какав као ко кога која које којег који којих којим којој
коју колико коме кроз ли ме међу мене мени ми много мој моја моје може могу му на над након нам
нама нас наш наша наше не него нека неки неко нећу неће нешто ни није никад нико нисам нису њу
њега његов његова њему њен њих њихов њима њој о од он она они оно ова овај ове ово овог овој ову
па пак по под поред после пре преко према при с са сам само се себе себи си смо сте су све сви
свој своја своје та тада тај тако такође те тебе теби ти то тога тој том томе ту твој у уз вам
вама вас ваш већ веома ви врло за зар зашто због што шта""",
    "ru": """а без более больше будем будет будете будут будучи бы был была были было быть в вам
вами вас ваш ваша ваше ваши ведь весь во вместе вместо вне вот впрочем все всего всей всем всеми
всему всех всю вся всё вы где да даже для до другая другие другой других его ее ей ему если есть
еще ещё её же за зачем здесь и из изо или им ими иногда их к каждая каждое каждый как какая
какие каким какими каких какого какое какой каком какому какую когда кого ко ком кому которая
которого которое которой котором которую которые который которым которых кроме кто куда ли либо
лишь между меня мне много мной могла могли могло могут мог мое может можно моя мой мочь мы на
над надо нам нами нас насколько наш наша наше наши не него нее ней нельзя нем нему несколько нет
неё ни нибудь никогда ним ними них но ну о об оба обо однако он она они оно от откуда отчего
очень перед по под пока после потом потому почему почти при про раз разве с сам сама сами самих
само самого себе себя сейчас сколько со собой среди сразу сюда та так такая такие также такого
такое такой там твой те тебе тебя тем теми теперь тех то тобой тогда того тоже той только том
тому тот тою ту тут ты у уже хотя чего чей чем через что чтобы чье чьи чья чуть эта эти этим
этими этих это этого этой этом этому этот эту является являются""",
    "uk": """а або аби адже але багато без би був буде будуть була були було бути в вам вас ваш
ваша ваше ви вже від він вона вони воно все всі всього всіх всю де до для дуже є його її їй їм
їх ж же за завжди зараз з зі і із інша інше інший інших й йому кого кожен коли крім куди ледве
ли лише між має мають мені мене ми мій може можна моя моє на над нам нас наш наша наше не неї
нема немає ними них ні ніж ніхто ніщо о об однак ось ота перед під по поки про проти після сам
сама самі свій своє своєї своїх своя себе собі скільки стати та так така таке такий також такі
там твій те тебе ти тим тих то тобі тоді того той тому тут у усі хоч хоча хто це цей цього цьому
цих ці ця цю через чи чим чия чому що щоб щось яка який якого якої якому яку якщо які як""",
    "bg": """а аз ако ала бе без беше би бивш бил била били било бъда бъде бъдат в вас ваш ваша
все всеки всички всичко всяка във въпреки върху г ги го да дали до докато докога дори досега е
един една едно ето за зад заедно защо защото и из или им има имат й каза как каква какво както
какъв като кога когато което които кой който колко която към къде където ли м ме между мен ми
много мога могат може можем му на над най нас наш не нега него нещо нея ни ние никой нито но
някои някой няма обаче около освен от отново още пак по под поне поради после почти при през
преди пред само се сега си след според сред срещу съм са със също т тази така такива такъв там
твой те тези ти то това тогава този той толкова точно трябва тук тъй тя тях у често чрез ще щом
я""",
    "el": """αι αλλά αλλα αν αντί αντι από απο αριθμός αρκετά ας αυτά αυτές αυτή αυτήν αυτής
αυτό αυτοί αυτόν αυτός αυτού αυτούς αυτών για γιατί γιατι δε δεν διά διότι δηλαδή εάν εαν εγώ
εδώ εκεί εκείνα εκείνες εκείνη εκείνο εκείνοι εκείνος εμείς εμένα ένα ένας έναν ενός ενώ επειδή
επί επίσης εσείς εσύ ή η ήδη ήταν ημών θα ίδια ίδιο ίδιος και κάθε καθώς κάποια κάποιο κάποιος
κατά κάτι κι κοντά μα μας με μέσα μέσω μεταξύ μετά μέχρι μη μην μήπως μια μία μιας μου μόνο να
ναι ο οι όλα όλες όλη όλο όλοι όλος όλων όμως όπου όπως όσα όσο όσοι ότι όταν ού ούτε όχι πάνω
παρά πάντα περί περίπου πια πιο πλέον ποια ποιά ποιαν ποιες ποιο ποιοι ποιόν ποιον ποιος ποιός
ποιους ποιου ποιων πολλά πολλές πολύ πόσα πόσες πόση πόσο πόσοι πόσος ποτέ πότε που πού πρέπει
πριν προς πρώτα πως πώς σαν σας σε σου στα στη στην στις στο στον στου στους στων συν τα τη την
της τι τί τις τίποτα το τον τόσο τότε του τους των τώρα υπάρχει υπάρχουν υπέρ υπό χωρίς ως ώστε
είναι είμαι είσαι είμαστε έχει έχουν έχω είχε είχαν μπορεί μπορούν οποία οποίο οποίος οποίου
οποίοι οποίες οποίων""",
    "ar": """إذ إذا إذن أصبح أكثر إلا التي الذي الذين اللاتي اللتان اللذان اللواتي إلى إليه
إليها أم أما أمام إما أن إن أنا أنت أنتم أنه إنه أنها إنها أنهم أو أولئك أي أيضا أيضًا أين أية
بأن بعد بعض بل بلا بلى بما بن به بها بهم بهذا بهذه بين بينما تحت تكون تلك تم ثم جدا جميع حتى حول
حيث حين خلال دون ذات ذلك ذو سوف سوى ضد ضمن عام عبر عدم على عليه عليها عليهم عن عند عندما عنه
عنها غير فإن فقد فقط فهو فهي في فيما فيه فيها قال قام قبل قد كان كانت كانوا كل كلا كم كما كي كيف
لا لأن لأنه لدى لدي لذلك لعل لقد لكل لكم لكن لكنه لم لما لماذا لن لنا له لها لهذا لهذه لهم لو
ليس ليست ما ماذا متى مثل مع معظم معه معها مما من منذ منه منها منهم نحن نحو نعم نفس نفسه هؤلاء ها
هذا هذان هذه هكذا هل هم هما هن هنا هناك هو هي وأن وإن وجد وغير وفي وقد وكان وكانت ولا ولكن ولم
وما ومن وهذا وهذه وهو وهي يا يجب يكون يمكن يوجد""",
    "fa": """آن آنان آنجا آنها آنچه آیا از است اش اگر اما او اکنون این اینجا اینکه ایشان با باید
بر برای برخی بسیار بعد بعضی بلکه بنابراین بود بودن بودند به بی بیش بیشتر بین تا تر ترین تمام
تنها تو جز چرا چگونه چقدر چند چنین چه چون چیز چیست چیزی حتی خود خواهد خواهند خیلی داد دارای دارد
دارند داشت داشتن داشتند در درباره دیگر دیگری را روی زیرا سپس شان شاید شد شدن شدند شده شما شود
شوند ضمن طبق علیه فقط قبل کجا کدام کرد کردن کردند کرده کس کسی کل کم کند کنند کنم کنید کنیم که کی
گاه گفت گیرد ما مانند مگر من مورد می میان میشود نباید نبود نه نیز نیست نیستند ها های هایی هر هم
همان همه همچنین همین همیشه هنوز هنگام هنگامی هستند هست هستم هیچ و ولی وقتی وی یا یابد یک یکی""",
    "he": """אבל או אולי אותה אותו אותי אותך אותם אותנו אז אחר אחרי אחת אי איזה איזו איך אין
איפה אל אלא אלה אלו אם אנחנו אני אף אפשר את אתה אתם אתן באופן באיזה בגלל בה בהם בו בין בכל בלי
במה במקום בעוד בעת בתוך גם דרך ה הוא היא היה היו היתה הייתה הם הן הנה הרבה הרי זאת זה זו חוץ טרם
יהיה יותר יכול יכולה יש כאן כאשר כבר כדי כה כולם כזה כך כל כלום כלל כמה כמו כמובן כן כנגד כפי כש
כשהוא לא לאחר לאיזה לאן לגבי לה להיות להם לו לי לך לכל לכן למה למרות לנו לפי לפני מאד מאוד מאז
מאין מאשר מדוע מה מהם מול מי מכל מלבד ממנה ממנו מן מעל מעט מתוך מתחת מתי נגד נו סביב עבור עד
עדיין עוד על עליו עליה עם עצמו עצמה עקב פה פי רק ש שאין שב שבו שבה של שלא שלה שלהם שלו שלי שלך
שלנו שם שעל תוך תחת""",
    "hi": """अगर अत अतः अथवा अन्य अपना अपनी अपने अब अभी आदि आप आपका आपकी आपके इतना इतनी इतने इन
इनका इनकी इनके इनमें इस इसका इसकी इसके इसमें इसलिए इसलिये इसी इसे इसने उन उनका उनकी उनके उनको
उन्हें उन्होंने उस उसका उसकी उसके उसमें उसी उसे उसने एक एवं ऐसा ऐसी ऐसे और कई कब कम कर करता करती
करते करना करने करें कहा कहाँ कहां का कि कितना कितनी कितने किन किस किसका किसकी किसके किसने किसी
किसे की कुछ के केवल को कोई कौन कौनसा कौनसी क्या क्यों क्योंकि गई गए गया गयी गये चाहिए जब जहाँ
जहां जा जाता जाती जाते जाना जिन जिनका जिनके जिन्हें जिस जिसका जिसकी जिसके जिसमें जिसे जैसा जैसी
जैसे जो तक तब तथा तरह तुम तुम्हारा तू तो था थी थीं थे दिया दी दे दो दोनों द्वारा न नहीं ना नीचे
ने पर परन्तु परंतु पहले पास पूरा फिर बहुत बाद बारे बिना बीच भी भीतर मगर मुझे मे में मेरा मेरी
मेरे मैं यदि यह यहाँ यहां यही या ये रखा रखी रखे रहा रही रहे लिए लिये लेकिन व वह वहाँ वहां वही
वाला वाली वाले वे वैसे सकता सकती सकते सब सबसे सभी साथ सारा से सो हम हमारा हमारी हमारे हमें ही
हुआ हुई हुए हूँ हूं हे है हैं हो होता होती होते होना होने""",
    "ne": """अब अनि अझै अथवा अन्य अरु अरू आज आदि आफ्नो आफू आयो उनको उनी उनीहरू उसको ऊ एउटा एक
एवं ऐन कति कता कसरी कसको कसले कस्तो कहाँ कहिले कि किन किनभने कुन कुनै के को कोही गरेको गरेका
गर्छ गर्दा गर्न गर्ने गरी गरिएको गए गयो चाहिन्छ छ छन् छैन छैनन् छु जब जसको जसले जहाँ जुन जे जो
झैं त तथा तब तर तिनी तिमी तिर थियो थिए थिएन दिएको देखि न नै निम्ति नभई पनि पर्छ पहिले पछि फेरि
बाट बारे भए भएका भएको भने भन्ने भन्दा भन्छ भयो म मा मात्र माथि मेरो यति यदि यस यसको यसरी यस्तो
यहाँ यी यो र रहेको राखी रूपमा ले लाई लागि वा संग सँग सबै सम्म सो हामी हाम्रो हुन हुन्छ हुने
हुँदै हो होइन""",
    "ta": """அங்கு அங்கே அடுத்த அதற்கு அதன் அதனால் அதில் அதிக அது அதை அந்த அப்போது அல்ல அல்லது
அவர் அவர்கள் அவள் அவன் அவை அனைத்து ஆக ஆகிய ஆகும் ஆனால் இங்கு இங்கே இதற்கு இதன் இதனால் இதில் இது
இதை இந்த இப்போது இரு இருக்கும் இருந்த இருந்து இல்லை இவர் இவை இன்னும் உள்ள உள்ளது உள்ளன உன் எங்கு
எங்கே எது எதை எத்தனை எந்த எப்படி எப்போது எல்லாம் எவ்வளவு என என்பது என்பதை என்ற என்று என்ன
என்னும் எனவே எனினும் ஏன் ஏனெனில் ஒரு ஒவ்வொரு ஓர் கீழ் குறித்து கொண்ட கொண்டு சில செய்ய செய்து தன்
தனது தவிர தான் நாம் நான் நீ நீங்கள் நோக்கி பல பற்றி பிற பிறகு பின் பின்னர் போது போல போன்ற
மட்டும் மற்ற மற்றும் மிக மிகவும் முதல் முன் மேல் மேலும் யாது யார் வந்து வரை வேண்டும் வேறு""",
    "hy": """այդ այլ այն այնպես այնտեղ այս այսպես այստեղ այո ապա առանց արդեն բայց բոլոր դա դեպի
դեռ դու դուք եմ են ենք ես եք երբ երկու էի էին էինք էիր էիք էր է ըստ թե թեև ժամանակ ինչ ինչի
ինչպես ինչպիսի ինչու ինքը իր իրեն իրենց կա կամ կան կարող համար հետ հետո հենց մեզ մեկ մեջ մենք
մեր մի մինչ մինչև միայն միշտ մյուս նա նաև նախ ներկա նույն նրա նրան նրանք նրանց նման շատ չէ չի որ
որը որոնք որպես որտեղ ու ում ով ովքեր պետք պիտի սա սակայն սրա վրա տակ քան քանի քեզ քո և""",
    "yi": """אדער אויב אויס אויף אויך אז אט איבער אידער איז אים אין אינעם איך איר אירע אלע אלץ
אן אנדערע אריין אבער אונדז אונדזער אונטער און ביז ביי ביסט בין גאר געווארן געווען דא דאס דארט
דארף די דיין דיר דעם דער דערנאך דו דורך האבן האט האסט האב הייסט ווא וואו וואס ווייל וויל ווי
וויפל ווען ווער ווערט וועט וועלכע ווו זאל זיי זייער זיין זיינען זי זיך זיינע טאקע יא יעדער יענע
יעצט כדי מיט מיין מיר מען נאך נאר ניט נישט סײַ עס ער פאר פון פארוואס צו צווישן צום צי קיין קען""",
    "zh": """的 了 和 与 及 或 在 是 有 我 你 他 她 它 们 这 那 哪 些 个 之 为 以 于 而 被 把 从
对 到 由 就 也 都 还 很 吗 呢 吧 啊 着 过 什么 怎么 怎样 如何 为何 为什么 多少 哪个 哪些 哪里
哪儿 哪一 几个 是否 谁 何时 何处 我们 你们 他们 她们 它们 这个 那个 这些 那些 一个 没有 因为
所以 但是 如果 可以 以及 並且 什麼 怎麼 為什麼 為何 哪裡 哪裏 這個 這些 我們 他們 沒有 因為 還""",
    "ja": """の に は を が と で て も や へ から まで より など だ です ます た な ない ある
いる する した して される された いう こと もの ため よう これ それ あれ この その あの ここ
そこ どこ だれ 誰 何 なに なん いつ なぜ どう どの どれ どんな どちら どのよう いくつ いくら ば
か ね よ""",
    "ko": """가 과 그 그것 그녀 그는 그리고 그러나 그런데 그렇다 그의 나 나는 내 누가 누구
누구인가 는 대한 더 도 된다 들 등 때 또는 또한 로 를 모든 무슨 무엇 무엇을 무엇인가 무엇이 및
부터 뿐 사이 수 아니다 어느 어디 어디서 어디에 어떤 어떻게 언제 얼마나 없다 에 에서 에게 와 왜
우리 으로 은 을 의 이 이것 이는 이다 있는 있다 저 저는 제 즉 하는 하다 한 할 합니다 했다 것 것은
것이 입니다 인가 무엇입니까 몇""",
    "th": """ก็ กว่า กับ การ ของ ขึ้น ครับ ค่ะ ความ คือ จะ จาก ฉัน ซึ่ง ด้วย ได้ ต้อง ตาม แต่
ถ้า ถึง ถูก ทั้ง ที่ ทำไม ทุก เท่าไร เท่าไหร่ นั้น นี้ ใน บน ใคร ไป เป็น ผม เพราะ เพื่อ มัน มา
มาก มี เมื่อ เมื่อไร เมื่อไหร่ แม้ ไม่ ยัง ระหว่าง เรา และ แล้ว ว่า ส่วน สำหรับ หรือ หาก ให้
อย่าง อย่างไร อยู่ อะไร อีก โดย ไหน ๆ""",
}
