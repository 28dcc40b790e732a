// The words that occur in most of the first thousands of entries in published lists of leaked passwords, without
// look-alike characters. A list of whole passwords would have few of twelve characters.

const WORDS = `
  abcd access account admin administrator adobe alex alexander america amanda andrea andrew angel anthony apple april
  asdf ashley asshole august austin baby bailey banana baseball basketball batman beer berlin bigdog blink boomer boston
  brandon buster butter butterfly camaro canada change changeit changeme charlie cheese chelsea chicago chicken chocolate
  chris cisco cloud coffee compute computer console cookie cool corvette cowboy customer dallas daniel database datacenter
  debian december default demo diamond dog dragon eagle eagles elephant england enter eternity evil family february
  ferrari fire flower football forever france freedom friday friend friends fuck fuckyou gandalf george ginger google
  guest hacker hallo hammer hannah happy harley hello heather hockey home hunter iloveyou india internet iwantu jackson
  january jasmine jennifer jessica jesus john johnny jordan joshua july june justin killer king kitty knight kvm lakers
  letmein libvirt linux liverpool login london looking lord love loveme lovely lucky maggie magic manager march marina
  marlboro martin master matrix matthew maverick melissa mercedes merlin michael michelle mickey midnight migration money
  monday monkey monster mother mustang mynoob naruto network nicholas nicole night nimda ninja nothing nova november
  october office openstack operator oracle orange pass passport password passwort patrick peanut pepper phoenix
  placement please pokemon porsche postgres princess private purple qazwsx qwer qwert qwerty rabbit rachel ranger redhat
  robert rock root ruby samantha samsung saturday school secret secure security september server service shadow silver
  simple slayer smith snoopy soccer sparky spider spring star starwars steelers stella steven storage summer sunday
  sunflower sunshine super superman support sysadmin system taylor temp temppass tennis test tester testing thomas
  thunder thursday tiger tigger trustno trustnoone tuesday tucker ubuntu user username vagrant victoria viewer virtual
  vmware wednesday welcome whatever william willie windows winner winston winter wizard work yamaha yankees yellow zaq
`

export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
