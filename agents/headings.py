"""Where to look goods up: words of trade and the heading that they usually belong to.

A clerk's crib, not a tariff: it says which page to open. Longer phrases win over shorter ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from customs_env.agents.reading import words

_CRIB = """
0207 chicken | 0303 frozen fish, mackerel, tuna whole | 0304 fish fillet, fillets
0306 shrimp, prawn, lobster, crab | 0402 milk powder, skimmed milk | 0404 whey | 0405 butter
0406 cheese, mozzarella, cheddar | 0511 hatching eggs
0713 lentil, lentils, chickpea, chickpeas, peas, pigeon peas, urad
0802 almond, almonds, walnut, pistachio, pistachios | 0804 dates, figs | 0805 oranges | 0806 raisins, grapes
0808 apples | 0810 kiwifruit | 0901 coffee beans, coffee | 0902 tea | 0904 pepper | 0906 cinnamon, cassia
0907 cloves | 0908 nutmeg, cardamom | 1005 maize | 1107 malt | 1108 starch | 1109 wheat gluten
1207 poppy seed, sesame | 1209 seeds for sowing | 1210 hops, hop pellets | 1301 gum arabic, shellac
1302 pectin, agar, plant extract, thickener | 1507 soybean oil | 1509 olive oil | 1512 sunflower oil
1514 rapeseed oil, canola oil | 1604 canned tuna, sardines | 1702 lactose, glucose, dextrose, fructose
1704 chewing gum, candy, jelly confectionery | 1803 cocoa paste | 1804 cocoa butter | 1805 cocoa powder
1806 chocolate | 1902 pasta, noodles, spaghetti | 1904 corn flakes, breakfast cereal
1905 biscuits, wafers, cookies | 2002 tomato paste | 2004 french fries | 2005 potato crisps
2008 roasted nuts | 2009 juice | 2101 instant coffee | 2103 soya sauce, ketchup, mayonnaise
2106 protein concentrate | 2202 soft drink | 2204 wine | 2208 whisky, whiskey, vodka, gin
2309 pet food, dog food, cat food | 2503 sulphur | 2504 graphite | 2507 kaolin | 2515 marble blocks
2601 iron ore | 2710 base oil, lubricating oil | 2712 petroleum jelly, paraffin wax | 2809 phosphoric acid
2815 caustic soda, sodium hydroxide | 2818 aluminium oxide, corundum | 2823 titanium dioxide
2836 soda ash, sodium carbonate, sodium bicarbonate | 2841 potassium permanganate | 2847 hydrogen peroxide
2902 toluene, xylene, styrene, benzene
2903 chlorodifluoromethane, difluoromethane, tetrafluoroethane, refrigerant
2905 methanol, isopropyl alcohol, propylene glycol, glycol, sorbitol, mannitol
2914 acetone, methyl ethyl ketone, cyclohexanone
2915 acetic acid, acetic anhydride, ethyl acetate, vinyl acetate
2916 benzoic acid, phenylacetic acid, acrylic acid | 2917 terephthalic acid, phthalic anhydride, adipic acid
2918 citric acid, salicylic acid | 2921 aniline | 2922 anthranilic acid
2924 acetylanthranilic acid, paracetamol | 2926 acrylonitrile | 2929 toluene diisocyanate, diisocyanate
2930 methionine | 2932 piperonal, safrole, isosafrole | 2933 caprolactam, melamine
2936 vitamin, ascorbic acid | 2941 penicillin, amoxicillin, erythromycin | 3004 tablets, capsules medicament
3102 urea | 3104 potassium chloride | 3204 dye, disperse dye, reactive dye, pigment
3206 titanium dioxide pigment | 3208 solvent paint | 3209 water based paint, emulsion paint
3215 printing ink, ink | 3302 fragrance, flavour | 3304 lipstick, nail polish, skin cream, face powder
3305 shampoo | 3306 toothpaste | 3401 soap | 3402 detergent, surfactant | 3404 artificial wax | 3406 candles
3506 adhesive, glue | 3507 enzyme | 3701 x ray film | 3802 activated carbon
3808 insecticide, herbicide, fungicide | 3815 catalyst | 3822 diagnostic reagent, test kit
3901 polyethylene, ldpe, hdpe, eva copolymer | 3902 polypropylene | 3903 polystyrene, abs resin
3904 pvc resin, polyvinyl chloride | 3907 polycarbonate, pet resin, epoxy resin, polyacetal
3909 polyurethane | 3917 plastic pipe, plastic tube | 3919 adhesive tape, self adhesive
3920 plastic film, film | 3923 plastic bottles | 3924 plastic tableware | 3926 articles of plastics
4001 natural rubber | 4002 synthetic rubber | 4009 rubber hose, hose, hoses
4010 conveyor belt, transmission belt, v belt | 4011 tyres, tyre | 4015 rubber gloves, gloves
4016 rubber gasket, gaskets | 4104 leather hides | 4107 finished leather
4202 handbag, suitcase, backpack, wallet, trunk | 4203 leather gloves, leather jacket
4407 sawn timber, sawn wood | 4410 particle board | 4411 fibreboard, mdf | 4412 plywood | 4703 wood pulp
4801 newsprint | 4802 copy paper, uncoated paper | 4804 kraft paper | 4810 coated paper | 4811 label stock
4818 tissue, napkins | 4819 cartons, boxes of paper | 4901 books | 5101 wool | 5201 cotton raw, raw cotton
5205 cotton yarn | 5208 cotton fabric | 5209 denim | 5402 polyester filament yarn, nylon yarn
5407 polyester fabric, synthetic filament fabric | 5408 viscose fabric | 5503 staple fibre
5512 polyester staple fabric | 5603 nonwoven | 5702 carpet woven | 5703 carpet tufted, turf, carpet
5801 velvet, pile fabric | 5804 lace | 5903 coated fabric, laminated fabric | 6001 pile knit
6004 knitted fabric elastomeric | 6006 knitted fabric, knit fabric | 6103 knitted trousers
6104 knitted dress | 6105 knitted shirt, polo shirt | 6109 t shirt, t shirts
6110 sweater, pullover, jersey, cardigan | 6111 babies garments | 6115 socks, hosiery
6201 overcoat, anorak | 6203 trousers, mens suit, jackets | 6204 dress, skirt, womens | 6205 shirt, shirts
6206 blouse | 6214 scarf, shawl | 6302 bed linen, towel, towels | 6303 curtain, curtains
6305 bulk bag, sacks | 6307 face mask | 6402 plastic footwear, sandals
6403 leather shoes, leather footwear | 6404 textile footwear, canvas shoes, sports shoes | 6506 helmet
6802 polished marble, granite slab | 6804 grinding wheel | 6805 abrasive paper | 6813 brake lining
6902 refractory brick | 6907 ceramic tile, tiles | 6910 sanitary ware, wash basin | 6911 porcelain tableware
6912 stoneware tableware | 7005 float glass | 7007 safety glass, toughened glass, laminated glass
7010 glass bottle, glass vial | 7013 glassware, drinking glasses | 7019 glass fibre, fibreglass
7113 jewellery | 7117 imitation jewellery | 7202 ferro alloy, ferro silicon | 7208 hot rolled coil
7210 galvanised steel | 7219 stainless steel sheet | 7304 seamless pipe, seamless tube | 7306 welded pipe
7307 pipe fitting, flange | 7312 wire rope | 7315 chain | 7318 bolt, bolts, screw, screws, nut, washer
7323 steel kitchenware, cookware | 7326 articles of steel | 7403 copper cathode | 7408 copper wire
7411 copper tube | 7601 aluminium ingot | 7604 aluminium profile | 7606 aluminium sheet
7607 aluminium foil | 7608 aluminium tube | 8202 saw blade | 8203 pliers | 8204 spanner, wrench
8205 hammer, screwdriver | 8207 drill bit, milling cutter | 8211 knife, knives | 8213 scissors
8215 spoon, forks, cutlery | 8301 padlock, lock, locks | 8302 hinge, hinges, castor | 8408 diesel engine
8413 pump, pumps | 8414 compressor, fan, fans | 8415 air conditioner | 8418 refrigerator, freezer
8419 heat exchanger | 8421 filter, water purifier, centrifuge
8422 dish washer, packing machine, filling machine | 8424 spray gun | 8427 fork lift
8428 elevator, conveyor | 8429 excavator, bulldozer, loader | 8443 printer, printers, multifunction
8450 washing machine | 8456 laser cutting | 8457 machining centre | 8458 lathe | 8462 press brake, shear
8467 power tool, angle grinder | 8471 laptop, tablet computer, keyboard, computer, server
8473 motherboard, computer parts | 8477 injection moulding machine, extruder | 8481 valve, valves, tap
8482 bearing, bearings | 8483 gearbox, gear | 8501 motor, motors, generator
8504 transformer, charger, power supply, adaptor, inverter | 8506 primary battery, alkaline battery
8507 lithium ion battery, accumulator, lead acid battery | 8509 mixer grinder, blender | 8510 shaver
8516 microwave oven, hair dryer, electric iron, kettle | 8517 smartphone, router, mobile phone, telephone
8518 loudspeaker, speaker, speakers, headphone, headphones, earphone, earphones, microphone, amplifier
8523 memory card, flash drive, solid state drive | 8525 camera, cameras
8528 monitor, monitors, projector, television | 8532 capacitor, capacitors | 8533 resistor, resistors
8534 printed circuit | 8536 switch, relay, circuit breaker, connector, plug | 8537 control panel
8539 led lamp, lamp, bulb | 8541 diode, transistor, solar cell, solar module, led chip
8542 integrated circuit, microcontroller, processor chip
8544 cable, cables, wiring harness, optical fibre cable
8708 brake pad, bumper, wheel rim, shock absorber, clutch | 8711 motorcycle, scooter
8712 bicycle, bicycles | 8714 bicycle parts | 9001 contact lenses, lenses | 9003 spectacle frame, frames
9004 sunglasses | 9018 syringe, catheter, ultrasound scanner, needle | 9021 hearing aid, orthopaedic
9025 thermometer | 9026 flow meter, pressure gauge | 9027 chromatograph, spectrometer
9031 measuring machine | 9032 thermostat | 9102 wrist watch, watch, watches | 9105 wall clock, alarm clock
9202 guitar, violin | 9401 seat, chair, chairs, sofa | 9403 furniture, desk, cabinet, table, bed
9404 mattress, quilt, pillow, sleeping bag | 9405 luminaire, luminaires, chandelier, ceiling light
9503 toy, toys, doll, puzzle | 9504 video game, playing cards | 9506 gym equipment, football, racket, golf
9507 fishing rod, reel | 9603 toothbrush, brush | 9606 button, buttons | 9607 zip, zipper, slide fastener
9608 ball point pen, pen, marker | 9609 pencil, crayons | 9613 lighter | 9617 vacuum flask
9619 diapers, sanitary towels
"""


def _read(crib: str) -> Mapping[str, str]:
    pages: dict[str, str] = {}
    for entry in crib.replace("\n", "|").split("|"):
        heading, _, phrases = entry.strip().partition(" ")
        for phrase in phrases.split(","):
            if phrase.strip():
                pages.setdefault(words(phrase), heading)
    return pages


_PAGES = _read(_CRIB)


def likely_headings(text: str) -> list[str]:
    """Return the headings whose phrases a description says, the longest phrase first."""
    said = words(text)
    found = sorted(
        (phrase for phrase in _PAGES if phrase in said), key=lambda phrase: (-len(phrase), said.find(phrase))
    )
    return list(dict.fromkeys(_PAGES[phrase] for phrase in found))
