"""Where to look goods up: words of trade and the heading that they usually belong to.

A clerk's crib, not a tariff: it says which page to open. Longer phrases win over shorter ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from customs_env.agents.reading import singular, words

_CRIB = """
0207 chicken | 0303 frozen fish, mackerel, tuna whole | 0304 fish fillet, fillets
0305 smoked salmon, smoked fish | 0306 shrimp, prawn, lobster, crab | 0402 milk powder, skimmed milk
0404 whey | 0405 butter | 0406 cheese, mozzarella, cheddar | 0511 hatching eggs
0713 lentil, lentils, chickpea, chickpeas, peas, pigeon peas, urad
0802 almond, almonds, walnut, pistachio, pistachios | 0804 dates, figs | 0805 oranges | 0806 raisins, grapes
0808 apples | 0810 kiwifruit | 0901 coffee beans, coffee | 0902 tea | 0904 pepper | 0906 cinnamon, cassia
0907 cloves | 0908 nutmeg, cardamom | 1005 maize | 1107 malt | 1108 starch | 1109 wheat gluten
1207 poppy seed, sesame | 1209 seeds for sowing | 1210 hops, hop pellets | 1301 gum arabic, shellac
1302 pectin, agar, plant extract, thickener | 1507 soybean oil | 1509 olive oil
1510 olive pomace oil, oil from olive pomace, pomace oil | 1512 sunflower oil
1514 rapeseed oil, canola oil | 1604 canned tuna, sardines | 1605 cooked crab, crab meat, prepared shrimp
1702 lactose, glucose, dextrose, fructose | 1704 chewing gum, candy, jelly confectionery | 1803 cocoa paste
1804 cocoa butter | 1805 cocoa powder | 1806 chocolate | 1902 pasta, noodles, spaghetti
1904 corn flakes, breakfast cereal | 1905 biscuits, wafers, cookies | 2002 tomato paste | 2004 french fries
2005 potato crisps | 2008 roasted nuts, roasted almond, peanut butter | 2009 juice | 2101 instant coffee
2103 soya sauce, ketchup, mayonnaise, chilli sauce, sauce, mustard | 2104 soup, broth
2106 protein concentrate, food supplement | 2202 soft drink | 2204 wine | 2208 whisky, whiskey, vodka, gin
2309 pet food, dog food, cat food | 2501 salt | 2503 sulphur | 2504 graphite | 2507 kaolin
2515 marble blocks | 2530 vermiculite | 2601 iron ore | 2710 base oil, lubricating oil
2712 petroleum jelly, paraffin wax | 2809 phosphoric acid
2812 thionyl chloride, phosphorus oxychloride, oxychloride | 2815 caustic soda, sodium hydroxide
2818 aluminium oxide, corundum | 2823 titanium dioxide
2836 soda ash, sodium carbonate, sodium bicarbonate, potassium carbonate, calcium carbonate
2841 potassium permanganate | 2847 hydrogen peroxide | 2902 toluene, xylene, styrene, benzene
2903 chlorodifluoromethane, difluoromethane, tetrafluoroethane, refrigerant
2905 methanol, isopropyl alcohol, propylene glycol, glycol, sorbitol, mannitol, methyl alcohol, butanol
2905 glycerol | 2914 acetone, methyl ethyl ketone, cyclohexanone
2915 acetic acid, acetic anhydride, ethyl acetate, vinyl acetate, butyl acetate, formic acid, stearic acid
2916 benzoic acid, phenylacetic acid, acrylic acid, cinnamic acid, methacrylate
2917 terephthalic acid, phthalic anhydride, adipic acid | 2918 citric acid, salicylic acid | 2921 aniline
2922 anthranilic acid, monoethanolamine, ethanolamine, diethanolamine
2924 acetylanthranilic acid, paracetamol, acetamidobenzoic acid, urea derivative | 2926 acrylonitrile
2929 toluene diisocyanate, diisocyanate | 2930 methionine, thiodiglycol
2932 piperonal, safrole, isosafrole | 2933 caprolactam, melamine | 2936 vitamin, ascorbic acid
2941 penicillin, amoxicillin, erythromycin | 3004 tablets, capsules medicament | 3102 urea
3104 potassium chloride | 3204 dye, disperse dye, reactive dye, pigment | 3206 titanium dioxide pigment
3208 solvent paint | 3209 water based paint, emulsion paint | 3215 printing ink, ink
3302 fragrance, flavour | 3304 lipstick, nail polish, skin cream, face powder | 3305 shampoo
3306 toothpaste | 3401 soap | 3402 detergent, surfactant, sulphonic acid, ethoxylated alcohol
3404 artificial wax | 3406 candles | 3501 casein | 3503 gelatin
3505 modified starch, esterified starch, dextrin | 3506 adhesive, glue | 3507 enzyme | 3701 x ray film
3802 activated carbon | 3808 insecticide, herbicide, fungicide | 3815 catalyst
3822 diagnostic reagent, test kit | 3901 polyethylene, ldpe, hdpe, eva copolymer | 3902 polypropylene
3903 polystyrene, abs resin | 3904 pvc resin, polyvinyl chloride
3907 polycarbonate, pet resin, epoxy resin, polyacetal | 3909 polyurethane | 3917 plastic pipe, plastic tube
3919 adhesive tape, self adhesive | 3920 plastic film, film
3922 plastic wash basin, acrylic basin, bath tub | 3923 plastic bottles | 3924 plastic tableware
3926 articles of plastics | 4001 natural rubber, latex, smoked sheet | 4002 synthetic rubber
4008 rubber sheet | 4009 rubber hose, hose, hoses | 4010 conveyor belt, transmission belt, v belt
4011 tyres, tyre | 4015 rubber gloves, gloves | 4016 rubber gasket, gaskets, rubber seal, rubber mat, eraser
4104 leather hides | 4107 finished leather | 4202 handbag, suitcase, backpack, wallet, trunk
4203 leather gloves, leather jacket | 4205 leather article | 4303 fur | 4407 sawn timber, sawn wood
4410 particle board | 4411 fibreboard, mdf | 4412 plywood | 4418 wooden door, parquet
4419 wooden tableware | 4420 wood marquetry | 4421 clothes hanger | 4503 cork stopper | 4602 basket
4703 wood pulp | 4801 newsprint | 4802 copy paper, uncoated paper | 4804 kraft paper | 4810 coated paper
4811 label stock | 4818 tissue, napkins | 4819 cartons, boxes of paper | 4821 tags, paper label | 4901 books
5007 silk fabric | 5101 wool | 5106 carded wool yarn | 5107 combed wool yarn, worsted yarn
5112 woollen fabric | 5201 cotton raw, raw cotton | 5205 cotton yarn | 5206 cotton blend yarn
5208 cotton fabric | 5209 denim | 5210 cotton blended fabric | 5309 linen fabric | 5310 jute fabric
5401 sewing thread | 5402 polyester filament yarn, nylon yarn | 5404 monofilament
5407 polyester fabric, synthetic filament fabric | 5408 viscose fabric | 5503 staple fibre
5509 staple fibre yarn | 5512 polyester staple fabric | 5514 polyester cotton fabric
5515 polyester viscose fabric | 5516 viscose staple fabric | 5601 wadding | 5602 felt | 5603 nonwoven
5607 rope, twine, cordage | 5608 fishing net | 5702 carpet woven | 5703 carpet tufted, turf, carpet
5704 needle felt carpet, felt carpet | 5801 velvet, pile fabric | 5804 lace | 5806 narrow woven, ribbon
5807 woven label
5903 coated fabric, laminated fabric, visibly coated, polyurethane coated fabric, pvc coated fabric
5911 technical textile | 6001 pile knit | 6004 knitted fabric elastomeric | 6006 knitted fabric, knit fabric
6101 knitted overcoat | 6103 knitted trousers | 6104 knitted dress | 6105 knitted shirt, polo shirt
6107 briefs, pyjamas | 6108 nightdress | 6109 t shirt, t shirts | 6110 sweater, pullover, jersey, cardigan
6111 babies garments | 6112 tracksuit, swimwear | 6115 socks, hosiery | 6116 knitted gloves
6201 overcoat, anorak | 6202 womens coat | 6203 trousers, mens suit, jackets | 6204 dress, skirt, womens
6205 shirt, shirts | 6206 blouse | 6210 coated garment | 6211 boiler suit | 6212 brassiere
6214 scarf, shawl | 6301 blanket
6302 bed linen, towel, towels, duvet cover, bed sheet, pillowcase, table linen | 6303 curtain, curtains
6304 bedspread, cushion cover | 6305 bulk bag, sacks | 6306 tent, tarpaulin | 6307 face mask
6401 waterproof footwear, wellington boot | 6402 plastic footwear, sandals, plastic upper, rubber upper
6403 leather shoes, leather footwear, leather upper, upper of leather
6404 textile footwear, canvas shoes, sports shoes, textile upper, canvas upper, mesh upper | 6406 shoe sole
6504 straw hat, plaited hat | 6505 knitted hat, felt hat, cap | 6506 helmet, swim cap, headgear
6601 umbrella | 6702 artificial flower | 6801 paving stone | 6802 polished marble, granite slab
6804 grinding wheel | 6805 abrasive paper | 6809 plaster board | 6810 concrete block | 6813 brake lining
6815 carbon fibre article | 6902 refractory brick | 6907 ceramic tile, tiles
6910 sanitary ware, wash basin | 6911 porcelain tableware | 6912 stoneware tableware | 6914 ceramic article
7005 float glass | 7007 safety glass, toughened glass, laminated glass | 7009 mirror
7010 glass bottle, glass vial | 7013 glassware, drinking glasses | 7017 laboratory glassware
7019 glass fibre, fibreglass | 7101 pearl | 7102 diamond | 7106 silver | 7113 jewellery
7117 imitation jewellery | 7202 ferro alloy, ferro silicon | 7208 hot rolled coil
7210 galvanised steel, galvannealed, tinplate, coated steel sheet | 7214 steel bar
7216 steel angle, steel beam | 7217 steel wire | 7219 stainless steel sheet | 7220 stainless strip
7225 electrical steel | 7304 seamless pipe, seamless tube | 7306 welded pipe | 7307 pipe fitting, flange
7308 steel structure | 7310 steel drum | 7312 wire rope | 7313 barbed wire | 7314 wire mesh | 7315 chain
7317 nail | 7318 bolt, bolts, screw, screws, nut, washer, rivet, cotter | 7320 spring | 7321 gas stove
7323 steel kitchenware, cookware | 7324 stainless steel wash basin, steel sink | 7325 cast article
7326 articles of steel | 7403 copper cathode | 7407 copper bar, copper rod, brass rod | 7408 copper wire
7409 copper strip, copper plate, brass strip | 7411 copper tube | 7412 copper fitting
7413 copper stranded wire | 7418 copper wash basin | 7501 nickel matte | 7502 nickel | 7601 aluminium ingot
7604 aluminium profile, aluminium bar | 7606 aluminium sheet, aluminium circle, aluminium plate
7607 aluminium foil | 7608 aluminium tube | 7801 lead ingot | 7901 zinc ingot, zinc | 8001 tin ingot
8108 titanium | 8201 spade, garden tool | 8202 saw blade | 8203 pliers, hand file, file
8204 spanner, wrench | 8205 hammer, screwdriver | 8206 tool set | 8207 drill bit, milling cutter
8209 cemented carbide | 8211 knife, knives | 8212 razor | 8213 scissors | 8215 spoon, forks, cutlery
8301 padlock, lock, locks | 8302 hinge, hinges, castor, door closer, furniture fitting | 8305 staples
8309 crown cork | 8311 welding electrode | 8407 petrol engine | 8408 diesel engine
8409 engine part, piston | 8412 hydraulic cylinder | 8413 pump, pumps | 8414 compressor, fan, fans
8415 air conditioner | 8417 furnace | 8418 refrigerator, freezer | 8419 heat exchanger
8421 filter, water purifier, centrifuge | 8422 dish washer, packing machine, filling machine
8423 weighing scale | 8424 spray gun | 8425 hoist, jack | 8427 fork lift | 8428 elevator, conveyor
8429 excavator, bulldozer, loader | 8430 piling machine | 8432 plough | 8433 harvester, mower
8438 bakery machine | 8441 paper cutting machine | 8443 printer, printers, multifunction
8447 knitting machine | 8450 washing machine | 8452 sewing machine
8456 laser cutting, water jet cutting, plasma cutting | 8457 machining centre | 8458 lathe
8459 milling machine, drilling machine | 8460 grinding machine | 8462 press brake, shear
8465 woodworking machine | 8467 power tool, angle grinder
8471 laptop, tablet computer, keyboard, computer, server | 8473 motherboard, computer parts | 8474 crusher
8477 injection moulding machine, extruder | 8480 mould, moulds | 8481 valve, valves, tap
8482 bearing, bearings | 8483 gearbox, gear | 8485 3d printing, additive manufacturing | 8487 oil seal
8501 motor, motors, generator | 8503 motor part | 8504 transformer, charger, power supply, adaptor, inverter
8505 magnet | 8506 primary battery, alkaline battery, lithium primary, zinc carbon battery
8507 lithium ion battery, accumulator, lead acid battery, nickel cadmium, nickel metal hydride
8507 rechargeable battery | 8509 mixer grinder, blender | 8510 shaver | 8511 spark plug, starter motor
8512 wiper, horn | 8513 torch | 8515 welding machine
8516 microwave oven, hair dryer, electric iron, kettle
8517 smartphone, router, mobile phone, telephone, base station, lan switch, modem, telephone set
8518 loudspeaker, speaker, speakers, headphone, headphones, earphone, earphones, microphone, amplifier
8523 memory card, flash drive, solid state drive | 8525 camera, cameras | 8526 radar
8528 monitor, monitors, projector, television | 8529 antenna | 8531 alarm | 8532 capacitor, capacitors
8533 resistor, resistors | 8534 printed circuit | 8535 high voltage switch
8536 switch, relay, circuit breaker, connector, plug | 8537 control panel | 8539 led lamp, lamp, bulb
8541 diode, transistor, solar cell, solar module, led chip
8542 integrated circuit, microcontroller, processor chip | 8543 electrical machine
8544 cable, cables, wiring harness, optical fibre cable | 8545 carbon electrode | 8546 insulator
8701 tractor | 8703 motor car, passenger car | 8704 truck
8708 brake pad, bumper, wheel rim, shock absorber, clutch | 8711 motorcycle, scooter
8712 bicycle, bicycles | 8714 bicycle parts | 8716 trailer | 9001 contact lenses, lenses
9003 spectacle frame, frames | 9004 sunglasses | 9005 binoculars | 9006 photographic camera
9011 microscope | 9017 measuring tape, caliper, micrometer
9018 syringe, catheter, ultrasound scanner, needle | 9019 massage apparatus, oxygen therapy
9020 breathing apparatus | 9021 hearing aid, orthopaedic | 9022 x ray apparatus
9025 thermometer, hydrometer, pyrometer | 9026 flow meter, pressure gauge, level gauge, manometer
9027 chromatograph, spectrometer | 9028 energy meter, gas meter, water meter, supply meter | 9029 tachometer
9030 multimeter, oscilloscope | 9031 measuring machine | 9032 thermostat | 9102 wrist watch, watch, watches
9105 wall clock, alarm clock | 9201 piano | 9202 guitar, violin | 9207 electronic keyboard
9401 seat, chair, chairs, sofa | 9402 dental chair, operating table
9403 furniture, desk, cabinet, table, bed, wardrobe, bookcase | 9404 mattress, quilt, pillow, sleeping bag
9405 luminaire, luminaires, chandelier, ceiling light, light fitting, electric light
9503 toy, toys, doll, puzzle, stuffed animal, plush, construction set | 9504 video game, playing cards
9505 christmas | 9506 gym equipment, football, racket, golf | 9507 fishing rod, reel | 9602 capsule
9603 toothbrush, brush | 9606 button, buttons | 9607 zip, zipper, slide fastener
9608 ball point pen, pen, marker, ball point refill, fountain pen
9609 pencil, crayons, refill lead, pencil lead | 9613 lighter | 9615 comb | 9616 spray, powder puff
9617 vacuum flask | 9619 diapers, sanitary towels
"""


#: Chapters and headings of materials: a word for what goods are made of says less than one for what they are.
_MATERIALS = (
    "25",
    "26",
    "28",
    "29",
    "390",
    "391",
    "50",
    "51",
    "52",
    "53",
    "54",
    "55",
    "72",
    "75",
    "76",
    "78",
    "79",
    "80",
)


def _stemmed(text: str) -> str:
    return " " + " ".join(map(singular, words(text).split())) + " "


def _read(crib: str) -> Mapping[str, str]:
    pages: dict[str, str] = {}
    for entry in crib.replace("\n", "|").split("|"):
        heading, _, phrases = entry.strip().partition(" ")
        for phrase in phrases.split(","):
            if phrase.strip():
                pages.setdefault(_stemmed(phrase), heading)
    return pages


_PAGES = _read(_CRIB)


def _rank(phrase: str, said: str) -> tuple[int, bool, int, int]:
    count = len(phrase.split())
    return (-count, _PAGES[phrase].startswith(_MATERIALS), -len(phrase), said.find(phrase))


def likely_headings(text: str) -> list[str]:
    """Return the headings whose phrases a description says: more words first, goods before materials."""
    said = _stemmed(text)
    found = sorted((phrase for phrase in _PAGES if phrase in said), key=lambda phrase: _rank(phrase, said))
    return list(dict.fromkeys(_PAGES[phrase] for phrase in found))
