"""The lists themselves, one text a language. Contractions stand without their apostrophe."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "en": """a about above after again against all also am an and any are arent as at be because
been before being below between both but by can cannot cant could couldnt did didnt do does doesnt
doing dont down during each few for from further had hadnt has hasnt have havent having he her here
hers herself him himself his how i if im in into is isnt it its itself ive just me more most my
myself no nor not of off on once only or other our ours ourselves out over own same shall she
should shouldnt so some such than that the their theirs them themselves then there these they this
those through to too under until up us very was wasnt we were werent what whats when where which
while who whom whose why will with wont would wouldnt you your yours yourself yourselves""",
}
