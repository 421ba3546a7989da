/*
 * Accounts whose owners are known, for measuring how well the worklist ranks. All people are invented. The patterns are those that
 * occur in the `.mailmap` files of public projects, where people record the names and addresses that belong together: login
 * names with initials, names in another order, noreply addresses, accents, digits, nicknames. The list was written before the
 * code that it measures, and it includes cases that only a person can decide.
 */

/** Email, then known accounts as `integrationId:identity`. */
export const DEVELOPERS = `
ada.lindqvist@example.com            1:alindqvist 2:ada-l
adam.lindgren@example.com            1:alindgren
ahmed.el-sayed@example.com           1:aelsayed 2:ahmedes
aiko.tanaka@example.com              1:atanaka 3:aikot
alexander.petrov@example.com         1:apetrov 2:sashka77
alexandra.petrova@example.com        1:apetrova
amelie.dubois@example.com            1:adubois
andre.silva@example.com              1:asilva 3:andresilva
andrea.silvestri@example.com         1:asilvestri
anna.schmidt@example.com             1:aschmidt
anna.schmitt@example.com             1:aschmitt
bjorn.osterberg@example.com          1:bosterberg 2:bosterb
bob.fletcher@example.com             1:bfletcher
carla.mendoza@example.com            1:cmendoza 2:carlam 3:CarlaM-dev
carlos.mendez@example.com            1:cmendez
chen.wei@example.com                 1:cwei
christopher.hale@example.com         1:chale 2:topher
cwalton@example.com                  1:cwalton
daniel.oconnor@example.com           1:doconnor
danielle.okafor@example.com          1:dokafor 2:dani-ok
david.king@example.com               1:dking
david.kim@example.com                1:dkim 2:dvdkim
dmitri.ivanov@example.com            1:divanov
elif.yildiz@example.com              1:eyildiz
elizabeth.brandt@example.com         1:ebrandt 2:lizb
emil.nyholm@example.com              1:enyholm 2:nyhulk
fatima.zahra.benali@example.com      1:fbenali
francois.lefevre@example.com         1:flefevre
grace.omondi@example.com             1:gomondi 2:gomo
gustav.krueger@example.com           1:gkrueger
hannah.weiss@example.com             1:hweiss
ivan.horvat@example.com              1:ihorvat 3:ivanh
jan.de.vries@example.com             1:jdevries
jan.kowalski@example.com             1:jkowalski
jane.smith@example.com               1:jsmith1
john.smith@example.com               1:jsmith 2:smithereens
john.smithson@example.com            1:jsmithson
jose.garcia@example.com              1:jgarcia
josephine.garland@example.com        1:jgarland
kofi.mensah@example.com              1:kmensah 2:kofimensah
kwame.mensah@example.com             1:kwmensah
li.wang@example.com                  1:lwang
lukasz.wojcik@example.com            1:lwojcik
maria.da.costa@example.com           1:mdacosta
mary.oneill@example.com              1:moneill 2:maryo
michael.brown@example.com            1:mbrown 2:mikebrown
mikhail.bronin@example.com           1:mbronin
muller@example.com                   1:muller
nguyen.van.minh@example.com          1:nvminh
olga.sokolova@example.com            1:osokolova
omar.haddad@example.com              1:ohaddad 2:haddado
patricia.lund@example.com            1:plund 2:patlund
priya.raman@example.com              1:praman 3:priyaraman92
rebecca.stone@example.com            1:rstone 2:becks
robert.miller@example.com            1:rmiller
sarah.connelly@example.com           1:sconnelly
sean.murphy@example.com              1:smurphy
sergei.volkov@example.com            1:svolkov
soren.kjaer@example.com              1:skjaer
theodora.pappas@example.com          1:tpappas 2:teddypappas
tom.baker@example.com                1:tbaker
wei.zhang@example.com                1:wzhang
xiao.ming.li@example.com             1:xmli
yuki.sato@example.com                1:ysato 2:yukky
zoe.adler@example.com                1:zadler 2:zoezoe
`;

/**
 * Identity | display name | email of the account | the owner's email, `-` if no developer of the list owns it. Empty cells are
 * columns that the source does not have.
 */
export const ACCOUNTS = `
ada.lindqvist | | | ada.lindqvist@example.com
Ada_Lindqvist | | | ada.lindqvist@example.com
adalindqvist | | | ada.lindqvist@example.com
lindqvist.ada | | | ada.lindqvist@example.com
LindqvistAda | | | ada.lindqvist@example.com
alindqvist | | | ada.lindqvist@example.com
adal | | | ada.lindqvist@example.com
ada-l | | | ada.lindqvist@example.com
ada-lindqvst | | | ada.lindqvist@example.com
alindqist | | | ada.lindqvist@example.com
a.lindgren | | | adam.lindgren@example.com
adam-lindgren-corp | | | adam.lindgren@example.com
ahmedelsayed | | | ahmed.el-sayed@example.com
ahmed-sayed | | | ahmed.el-sayed@example.com
Sayed, Ahmed El | | | ahmed.el-sayed@example.com
aiko_tanaka_ | | | aiko.tanaka@example.com
tanakaaiko | | | aiko.tanaka@example.com
u10442 | Aiko Tanaka | | aiko.tanaka@example.com
sashka77 | | | alexander.petrov@example.com
Sashka77 | | | alexander.petrov@example.com
alexanderpetrov | | | alexander.petrov@example.com
alexandra-petrova | | | alexandra.petrova@example.com
Amélie.Dubois | | | amelie.dubois@example.com
adubois | Amélie Dubois | | amelie.dubois@example.com
André Silva | | | andre.silva@example.com
andre.silva.42 | | | andre.silva@example.com
silvestria | | | andrea.silvestri@example.com
Anna.Schmitt | | | anna.schmitt@example.com
anna_schmidt1 | | | anna.schmidt@example.com
Björn Österberg | | | bjorn.osterberg@example.com
bjoern.oesterberg | | | bjorn.osterberg@example.com
bosterb | | | bjorn.osterberg@example.com
fletch | Bob Fletcher | | bob.fletcher@example.com
robert.fletcher | | | bob.fletcher@example.com
CarlaM-dev | | | carla.mendoza@example.com
carla_mendosa | | | carla.mendoza@example.com
c.mendez | | | carlos.mendez@example.com
weichen | | | chen.wei@example.com
topher | | | christopher.hale@example.com
chris.hale | | | christopher.hale@example.com
christopherh | | | christopher.hale@example.com
cwalton | | | cwalton@example.com
C.Walton | | | cwalton@example.com
daniel.o'connor | | | daniel.oconnor@example.com
Daniel O’Connor | | | daniel.oconnor@example.com
danokafor | Danielle Okafor | | danielle.okafor@example.com
dokafor2 | | | danielle.okafor@example.com
davidking | | | david.king@example.com
david-kim | | | david.kim@example.com
kimd | | | david.kim@example.com
Дмитрий Иванов | | | dmitri.ivanov@example.com
Dmitriy.Ivanov | | | dmitri.ivanov@example.com
Elif Yıldız | | | elif.yildiz@example.com
elizabeth.brandt | | | elizabeth.brandt@example.com
liz.brandt | | | elizabeth.brandt@example.com
nyhulk | | | emil.nyholm@example.com
NyHulk_ | | | emil.nyholm@example.com
fz.benali | Fatima Zahra Benali | | fatima.zahra.benali@example.com
fatima.benali | | | fatima.zahra.benali@example.com
François Lefèvre | | | francois.lefevre@example.com
flefevre@contractor.example.org | | | francois.lefevre@example.com
omondi | | | grace.omondi@example.com
gustav.krüger | | | gustav.krueger@example.com
Gustav Kruger | | | gustav.krueger@example.com
hweiß | | | hannah.weiss@example.com
hannah.weiss@example.com | | | hannah.weiss@example.com
horvat-ivan | | | ivan.horvat@example.com
ih-private | Ivan Horvat | ivanh@mail.example.net | ivan.horvat@example.com
devries | Jan de Vries | | jan.de.vries@example.com
jandevries | | | jan.de.vries@example.com
j.kowalski | | | jan.kowalski@example.com
jsmith | Jane Smith | | jane.smith@example.com
j-smith | John Smith | | john.smith@example.com
smithereens | | | john.smith@example.com
johnsmithson | | | john.smithson@example.com
José García | | | jose.garcia@example.com
jgarland | | | josephine.garland@example.com
kofi | Kofi Mensah | | kofi.mensah@example.com
kwamemensah | | | kwame.mensah@example.com
mensah.kwame | | | kwame.mensah@example.com
王丽 | Li Wang | | li.wang@example.com
wangli | | | li.wang@example.com
Łukasz Wójcik | | | lukasz.wojcik@example.com
lwojick | | | lukasz.wojcik@example.com
mariadacosta | | | maria.da.costa@example.com
MCosta | Maria da Costa | | maria.da.costa@example.com
Mary O'Neill | | | mary.oneill@example.com
mikebrown | | | michael.brown@example.com
mike.brown | | | michael.brown@example.com
mbrown-admin | | | michael.brown@example.com
müller | | | muller@example.com
minh.nguyen | Nguyen Van Minh | | nguyen.van.minh@example.com
o.sokolova | | | olga.sokolova@example.com
91827364+haddado@users.noreply.host.example | | | omar.haddad@example.com
ohaddad | | 91827364+haddado@users.noreply.host.example | omar.haddad@example.com
pat.lund | | | patricia.lund@example.com
priyaraman92 | | | priya.raman@example.com
priya-r | | | priya.raman@example.com
becks | | | rebecca.stone@example.com
bob.miller | | | robert.miller@example.com
sconelly | | | sarah.connelly@example.com
Seán Murphy | | | sean.murphy@example.com
sergey.volkov | | | sergei.volkov@example.com
Søren Kjær | | | soren.kjaer@example.com
teddypappas | | | theodora.pappas@example.com
tom.baker+test | | | tom.baker@example.com
tbaker_example | Tom Baker | | tom.baker@example.com
zhangwei | | | wei.zhang@example.com
lixiaoming | | | xiao.ming.li@example.com
yukky | | | yuki.sato@example.com
satoyuki | | | yuki.sato@example.com
Zoë Adler | | | zoe.adler@example.com
zadler-work | zoe | | zoe.adler@example.com
dependabot[bot] | | | -
jenkins-ci | | | -
root | | | -
release-manager | Release Manager | | -
svc-deploy-prod | | | -
ghost | | | -
m.rossi | Marco Rossi | | -
lena.hoffmann | Lena Hoffmann | | -
tthompson | Tina Thompson | | -
xk-9041 | | | -
`;

export interface KnownAccount {
  identity: string;
  name: string;
  email: string;
  /** Null if no developer of the list owns it. */
  owner: string | null;
}

const lines = (text: string): string[] => text.trim().split('\n');

/** Returns the stored identities of all developers, sorted by email. */
export function knownIdentities(): [email: string, integrationId: number, identity: string][] {
  return lines(DEVELOPERS).flatMap((line) => {
    const [email = '', ...accounts] = line.split(/\s+/);
    return accounts.map((account): [string, number, string] => {
      const [integrationId = '', identity = ''] = account.split(':');
      return [email, Number(integrationId), identity];
    });
  });
}

/** Returns the accounts to find owners for. */
export const knownAccounts = (): KnownAccount[] =>
  lines(ACCOUNTS).map((line) => {
    const [identity = '', name = '', email = '', owner = ''] = line.split('|').map((cell) => cell.trim());
    return { identity, name, email, owner: owner === '-' ? null : owner };
  });
