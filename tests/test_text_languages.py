"""Telling languages apart, from a page and from a few words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import detect_language, languages, stop_words
from kb.text.stopword_lists import WORDS
from kb.text.stopwords import is_stop_word

SENTENCES = [
    ("en", "We moved the billing service to Postgres because the old database could not keep up."),
    ("de", "Wir haben den Dienst nach Postgres umgezogen, weil die alte Datenbank zu langsam war."),
    ("fr", "Nous avons déplacé le service vers Postgres parce que la base était trop lente."),
    ("es", "Hemos movido el servicio a Postgres porque la base de datos era demasiado lenta."),
    ("it", "Abbiamo spostato il servizio su Postgres perché il database era troppo lento."),
    ("pt", "Mudamos o serviço para Postgres porque o banco de dados não era rápido."),
    ("nl", "We hebben de dienst naar Postgres verhuisd omdat het oude systeem te traag was."),
    ("sv", "Vi flyttade tjänsten till Postgres eftersom den gamla databasen inte var snabb."),
    ("da", "Vi flyttede tjenesten til Postgres, fordi den gamle database ikke var hurtig af sig."),
    ("no", "Vi flyttet tjenesten til Postgres fordi den gamle databasen ikke ble rask nå."),
    ("fi", "Palvelu siirrettiin, koska vanha tietokanta ei ollut nopea ja se oli myös kallis."),
    ("pl", "Przenieśliśmy usługę, ponieważ stara baza nie była szybka i była też droga."),
    ("cs", "Službu jsme přesunuli, protože stará databáze nebyla rychlá a byla také drahá."),
    ("hu", "Azért költöztettük át a szolgáltatást, mert a régi adatbázis nem volt elég gyors."),
    ("ro", "Am mutat serviciul pentru că baza de date veche nu era rapidă și era scumpă."),
    ("tr", "Hizmeti taşıdık çünkü eski veritabanı yeterince hızlı değildi ve çok pahalıydı."),
    ("id", "Kami memindahkan layanan itu karena basis data yang lama tidak cukup cepat."),
    ("ca", "Hem mogut el servei perquè la base de dades antiga no era prou ràpida amb això."),
    ("vi", "Chúng tôi đã chuyển dịch vụ vì cơ sở dữ liệu cũ không đủ nhanh."),
    ("ru", "Мы перенесли сервис, потому что старая база была слишком медленной."),
    ("uk", "Ми перенесли сервіс, бо стара база була надто повільною."),
    ("bg", "Преместихме услугата, защото старата база не беше достатъчно бърза."),
    ("sr", "Преселили смо услугу јер је стара база била спора."),
    ("el", "Μεταφέραμε την υπηρεσία επειδή η παλιά βάση ήταν αργή."),
    ("ar", "نقلنا الخدمة لأن قاعدة البيانات القديمة كانت بطيئة."),
    ("fa", "ما سرویس را منتقل کردیم چون پایگاه داده قدیمی کند بود."),
    ("he", "העברנו את השירות כי מסד הנתונים הישן היה איטי."),
    ("hi", "हमने सेवा को स्थानांतरित किया क्योंकि पुराना डेटाबेस धीमा था।"),
    ("ne", "हामीले सेवा सार्यौं किनभने पुरानो डाटाबेस ढिलो थियो र यो महँगो पनि थियो।"),
    ("zh", "因为旧的数据库太慢，我们把服务迁移到了 Postgres。"),
    ("ja", "古いデータベースが遅かったので、サービスを移行した。"),
    ("ko", "오래된 데이터베이스가 느려서 서비스를 옮겼다."),
    ("th", "เราย้ายบริการเพราะฐานข้อมูลเก่าช้าเกินไป"),
    ("ta", "பழைய தரவுத்தளம் மெதுவாக இருந்தது."),
    ("hy", "Մենք տեղափոխեցինք ծառայությունը, քանի որ հին բազան դանդաղ էր։"),
    ("ka", "ძველი ბაზა ნელი იყო."),
]


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
def test_a_sentence(language: str, sentence: str) -> None:
    assert detect_language(sentence) == language


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "why did we leave mysql"),
        ("de", "warum haben wir mysql verlassen"),
        ("fr", "où est la bibliothèque"),
        ("ru", "как настроить nginx"),
        ("ja", "何季の一種か"),
        ("zh", "视频下载"),
        ("", "postgres"),
        ("", "die hard"),
        ("", "INC-2041"),
        ("", "12:30 !!"),
        ("", ""),
    ],
)
def test_a_query(language: str, query: str) -> None:
    assert detect_language(query) == language


def test_names_and_code_do_not_hide_the_language_around_them() -> None:
    assert detect_language("`docker compose up` 启动服务，然后打开 localhost") == "zh"
    assert detect_language("Установить Docker Desktop и запустить docker compose up") == "ru"
    assert detect_language("The film *Die Brücke* was shot in Germany by the director.") == "en"


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    assert detect_language(text) == "" or len(detect_language(text)) == 2


def test_every_list_is_of_single_folded_words() -> None:
    for language in WORDS:
        words = stop_words(language)
        assert len(words) > 30, language
        assert all(word == word.casefold() and word.strip() == word for word in words)


def test_question_words_and_contractions_are_function_words() -> None:
    assert {"what", "how", "why", "does", "did", "we", "dont", "whats"} <= stop_words("en")
    assert not {"shell", "well", "may", "use", "need"} & stop_words("en")
    assert stop_words("xx") == frozenset()
    assert {"ещё", "еще"} <= stop_words("ru")


def test_a_few_words_weigh_what_they_weigh_among_all() -> None:
    everything = languages._word_weights()
    for word in (*everything, "zebra", "straße", "ß"):
        assert tuple(languages._weights(word)) == everything.get(word, ())


@pytest.mark.parametrize("language", sorted({*WORDS, "nb", "nn", "xx"}))
def test_a_word_is_a_stop_word_where_it_is_in_the_list(language: str) -> None:
    words = stop_words(language)
    for word in {*words, "zebra", "th", *stop_words("en"), *stop_words("ru")}:
        assert is_stop_word(word, language) == (word in words)
